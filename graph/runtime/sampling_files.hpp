// SPDX-License-Identifier: MIT
// The files in which StarPU keeps what it has measured: it aborts in every start on one that a
// killed run or a full disk has left cut off.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace tessera {

/// Whether a file about the bus, whose name ends with latency, bandwidth, config, affinity or xml,
/// is complete.
bool is_whole_bus_file(std::string_view ending, std::string const& text);

/// Whether the file of a codelet's performance model is complete.
bool is_whole_model(std::string const& text);

/// Removes the files of this host, below StarPU's folder, that are cut off and that no process is
/// writing at the moment. StarPU measures what is missing.
void remove_cut_files(std::filesystem::path const& sampling);

/// Whether StarPU has all that it keeps about the bus of this host, and all of it is whole.
bool knows_the_bus(std::filesystem::path const& sampling);

/// Calls `start_and_stop`, in which StarPU measures the bus, unless it knows the bus of this host
/// already. Of several processes one measures and the others wait: StarPU aborts on files that
/// another process has half written. Takes away what StarPU would abort on before.
void measure_bus_once(std::filesystem::path const& sampling,
                      std::function<void()> const& start_and_stop);

}  // namespace tessera

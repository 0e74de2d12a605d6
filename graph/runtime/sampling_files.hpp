// SPDX-License-Identifier: MIT
// The files in which StarPU keeps what it has measured: it aborts in every start on one that a
// killed run or a full disk has left cut off.
#pragma once

#include <filesystem>
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

/// Whether StarPU has all that it keeps about the bus of this host.
bool knows_the_bus(std::filesystem::path const& sampling);

}  // namespace tessera

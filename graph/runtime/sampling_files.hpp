// SPDX-License-Identifier: MIT
// The files in which StarPU keeps what it has measured: it aborts in every start on one that a
// killed run or a full disk has left cut off.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera {

/// Whether all is there of a file about the bus, of those that end with latency, bandwidth, config,
/// affinity or xml.
bool is_whole_bus_file(std::string_view ending, std::string const& text);

/// The same of the performance model of a codelet.
bool is_whole_model(std::string const& text);

/// Removes those of this host, below StarPU's folder, that are cut off and that nobody is writing
/// at the moment. StarPU measures what is not there.
void remove_cut_files(std::filesystem::path const& sampling);

/// Whether StarPU has all that it keeps about the bus of this host.
bool knows_the_bus(std::filesystem::path const& sampling);

}  // namespace tessera

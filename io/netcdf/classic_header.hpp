// SPDX-License-Identifier: MIT
// Whether the header of a classic NetCDF file is whole. libnetcdf asks for as much memory as a
// damaged one says, and crashes without it.
#pragma once

#include <cstddef>
#include <span>

namespace tessera {

/// Walks along the header: each list, name and value that it announces stands in the file, the
/// axes of variables are among its dimensions (NetCDF Classic Format Specification, Unidata).
bool is_whole_header(std::span<std::byte const> file);

}  // namespace tessera

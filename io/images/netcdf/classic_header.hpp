// SPDX-License-Identifier: MIT
// Whether the header of a classic NetCDF file is whole. libnetcdf asks for as much memory as a
// damaged one says, and crashes without it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tessera {

/// Walks along the header: each list, name and value that it announces stands in the file, the
/// axes of variables are among its dimensions (NetCDF Classic Format Specification, Unidata).
/// Returns the byte behind the last value and what fills it up to four bytes; nothing for a header
/// that is not whole.
std::optional<std::uint64_t> end_of_values(std::span<std::byte const> file);

}  // namespace tessera

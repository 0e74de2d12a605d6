// SPDX-License-Identifier: MIT
// Whether the header of a classic NetCDF file is complete. libnetcdf allocates as much memory as a
// damaged header says, and crashes if it fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tessera {

/// Checks the header: each list, name and value that it announces is in the file, the axes of
/// variables are among its dimensions (NetCDF Classic Format Specification, Unidata). Returns the
/// byte behind the last value and its padding to four bytes; nothing for a header that is not
/// complete.
std::optional<std::uint64_t> end_of_values(std::span<std::byte const> file);

}  // namespace tessera

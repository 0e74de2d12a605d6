// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tessera {

/// Largest message in bytes, as MPI counts in int.
inline constexpr std::size_t most_bytes_at_once = std::size_t{1} << 30;

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Sizes of tasks for performance models.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera {

/// Performance models are kept for classes of sizes an eighth of an octave wide: METIS makes no two
/// tiles alike, and a history of each single size would never fill.
inline std::uint32_t size_class(std::uint64_t size) {
  if (size < 8) return static_cast<std::uint32_t>(size);
  auto const octave = static_cast<std::uint32_t>(std::bit_width(size) - 1);
  return 8 * octave + static_cast<std::uint32_t>(size >> (octave - 3) & 7U);
}

}  // namespace tessera

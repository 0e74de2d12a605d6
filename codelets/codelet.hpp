// SPDX-License-Identifier: MIT
// What all codelets of Tessera have in common.
#pragma once

#include <starpu.h>

#include <bit>
#include <cstdint>

#include "lattice/storage.hpp"
#include "tasks/vector_data.hpp"  // IWYU pragma: export

namespace tessera {

/// Performance models are kept for classes of sizes an eighth of an octave wide: METIS makes no two
/// tiles alike, and a history of each single size would never fill.
inline std::uint32_t size_class(std::uint64_t nodes) {
  if (nodes < 8) return static_cast<std::uint32_t>(nodes);
  auto const octave = static_cast<std::uint32_t>(std::bit_width(nodes) - 1);
  return 8 * octave + static_cast<std::uint32_t>(nodes >> (octave - 3) & 7U);
}

/// For starpu_perfmodel::footprint, of tasks whose argument says layout and precision of a tile.
template <class Arguments>
std::uint32_t tile_footprint(starpu_task* task) {
  auto const& arguments = *static_cast<Arguments const*>(task->cl_arg);
  return size_class(arguments.counts.nodes) * precisions +
         static_cast<std::uint32_t>(arguments.precision);
}

}  // namespace tessera

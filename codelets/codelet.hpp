// SPDX-License-Identifier: MIT
// What all codelets of Tessera have in common.
#pragma once

#include <starpu.h>

#include <bit>
#include <cstdint>

#include "lattice/storage.hpp"

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
  return size_class(arguments.layout.nodes) * precisions +
         static_cast<std::uint32_t>(arguments.precision);
}

template <class T>
T* vector_data(void** buffers, std::size_t i) {
  // StarPU hands addresses over as integers. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffers[i]));
}

}  // namespace tessera

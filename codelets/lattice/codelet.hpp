// SPDX-License-Identifier: MIT
// What all codelets of Tessera have in common.
#pragma once

#include <starpu.h>

#include <cstdint>

#include "base/storage.hpp"
#include "graph/tasks/size_class.hpp"
#include "graph/tasks/vector_data.hpp"  // IWYU pragma: export

namespace tessera {

/// Footprint (starpu_perfmodel) of tasks whose argument gives layout and precision of a tile.
template <class Arguments>
std::uint32_t tile_footprint(starpu_task* task) {
  auto const& arguments = *static_cast<Arguments const*>(task->cl_arg);
  return size_class(arguments.counts.nodes) * precisions +
         static_cast<std::uint32_t>(arguments.precision);
}

}  // namespace tessera

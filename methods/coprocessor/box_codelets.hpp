// SPDX-License-Identifier: MIT
// Arguments of a box's tasks, and the order of their data, for all implementations.
#pragma once

#include "codelets/lattice/codelet.hpp"
#include "methods/coprocessor/box_steps.hpp"
#include "methods/coprocessor/box_tasks.hpp"

namespace tessera {

/// Arguments of the tasks that copy cells into and out of a box. Buffers: 0 the piece that travels;
/// from 1 on all slabs.
struct TravelArguments {
  BoxDescription const* box;
  Travel travel;
};

/// Arguments of a step of a slab. Buffers: 0 W the slab; from 1 on R the old slabs from below to
/// above.
struct SlabArguments {
  BoxDescription const* box;
  std::int32_t slab;

  std::int32_t first_old() const { return slab > 0 ? slab - 1 : 0; }
  std::int32_t last_old() const { return slab + 1 < box->shape.slabs ? slab + 1 : slab; }
};

inline BoxPointers slabs_behind_piece(void** buffers, BoxShape const& shape) {
  BoxPointers found;
  for (int s = 0; s < shape.slabs; ++s)
    found.slabs[s] = vector_data<void>(buffers, static_cast<std::size_t>(s) + 1);
  return found;
}

inline BoxPointers new_slab(void** buffers, SlabArguments const& arguments) {
  BoxPointers found;
  found.slabs[arguments.slab] = vector_data<void>(buffers, 0);
  return found;
}

inline BoxPointers old_slabs(void** buffers, SlabArguments const& arguments) {
  BoxPointers found;
  std::size_t buffer = 1;
  for (std::int32_t s = arguments.first_old(); s <= arguments.last_old(); ++s)
    found.slabs[s] = vector_data<void>(buffers, buffer++);
  return found;
}

// Implementations for GPUs.
void take_parts_on_gpu(void** buffers, void* argument) noexcept;
void box_step_on_gpu(void** buffers, void* argument) noexcept;
void give_parts_on_gpu(void** buffers, void* argument) noexcept;

}  // namespace tessera

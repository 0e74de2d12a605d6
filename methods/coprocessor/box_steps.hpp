// SPDX-License-Identifier: MIT
// The step of a slab on a core, for each instruction set, and the choice among them.
#pragma once

#include <cstdint>

#include "methods/coprocessor/box_shape.hpp"

namespace tessera {

struct BoxMethod;

/// Where the slabs of a box lie.
struct BoxPointers {
  void* slabs[BoxShape::most_slabs] = {};
};

template <class Real>
TESSERA_HOST_DEVICE BoxView<Real> view_of(BoxShape const& shape, BoxPointers const& pointers) {
  BoxView<Real> view{shape, {}};
  for (int s = 0; s < shape.slabs; ++s) view.slabs[s] = static_cast<Real*>(pointers.slabs[s]);
  return view;
}

/// Computes the cells of one slab, except the margin, from itself and the adjacent slabs.
using BoxStep = void (*)(BoxMethod const& method, BoxPointers const& old, BoxPointers const& next,
                         BoxShape const& shape, std::int32_t slab);

// A build defines those that TESSERA_KERNELS names (cmake/InstructionSets.cmake).
extern BoxStep const generic_box_step;
extern BoxStep const avx2_box_step;
extern BoxStep const avx512_box_step;

/// The fastest step that this processor runs.
BoxStep best_box_step();

}  // namespace tessera

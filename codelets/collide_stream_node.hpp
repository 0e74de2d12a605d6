// SPDX-License-Identifier: MIT
// The kernel for instruction sets without expand and compress: pulled node by node, collided in
// vectors.
#pragma once

#include "codelets/collide_stream_kernel.hpp"
#include "codelets/cpu_kernels.hpp"

namespace tessera {

struct PlainStore {
  template <class Real, class Vector>
  void operator()(Real* to, Vector const& v) const {
    *reinterpret_cast<Vector*>(to) = v;
  }
};

template <class Real, Equilibrium equilibrium, int vector_bytes>
void collide_stream_by_node(TileView const& tile, void const* old_populations,
                            void* new_populations, CollisionParameters<double> const& p) {
  TileUpdate<Real, equilibrium, vector_bytes, PullByNode<Real, vector_bytes>, PlainStore> update(
      tile, static_cast<Real const*>(old_populations), static_cast<Real*>(new_populations),
      narrow<Real>(p));
  update.run();
}

template <int vector_bytes>
constexpr CpuKernels kernels_by_node(char const* instruction_set) {
  return {instruction_set,
          {{collide_stream_by_node<float, Equilibrium::stokes, vector_bytes>,
            collide_stream_by_node<float, Equilibrium::navier_stokes, vector_bytes>},
           {collide_stream_by_node<double, Equilibrium::stokes, vector_bytes>,
            collide_stream_by_node<double, Equilibrium::navier_stokes, vector_bytes>}}};
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The collide-stream kernels for cores, one set for each instruction set, and the choice among
// them.
#pragma once

#include "codelets/pull_plan.hpp"
#include "lattice/collision.hpp"
#include "lattice/storage.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// One step of a tile, with its plan: old populations with their halo filled, new populations; both
/// as the kernel's precision stores them, 64-byte aligned.
using CollideStreamKernel = void (*)(TileView const& tile, PullPlan const& plan,
                                     void const* old_populations, void* new_populations,
                                     CollisionParameters<double> const& parameters);

struct CpuKernels {
  char const* instruction_set;
  CollideStreamKernel collide_stream[precisions][2];  ///< [Precision][Equilibrium]

  CollideStreamKernel kernel(Precision precision, Equilibrium equilibrium) const {
    return collide_stream[static_cast<int>(precision)][static_cast<int>(equilibrium)];
  }
};

extern CpuKernels const generic_kernels;
#ifdef __x86_64__
extern CpuKernels const avx2_kernels;
extern CpuKernels const avx512_kernels;
#endif

/// The fastest set that this processor runs.
CpuKernels const& best_cpu_kernels();

/// Parameters in the precision of the kernel.
template <class Real>
TESSERA_HOST_DEVICE CollisionParameters<Real> narrow(CollisionParameters<double> const& p) {
  return {static_cast<Real>(p.omega_plus),
          static_cast<Real>(p.omega_minus),
          {static_cast<Real>(p.force[0]), static_cast<Real>(p.force[1]),
           static_cast<Real>(p.force[2])}};
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The collide-stream kernels for cores, a set for each instruction set, and the choice among them.
// Which models they are for: models/lattice/known_models.hpp.
#pragma once

#include "base/storage.hpp"

namespace tessera {

struct FlowModel;
struct FlowParameters;
struct PullPlan;
struct TileView;

/// One step of a tile, with its plan: old populations with their halo filled, new populations; both
/// as the kernel's precision stores them, 64-byte aligned.
using CollideStreamKernel = void (*)(TileView const& tile, PullPlan const& plan,
                                     void const* old_populations, void* new_populations,
                                     FlowParameters const& parameters);

struct CpuKernelTable;

struct CpuKernels {
  char const* instruction_set;
  CpuKernelTable const* table;

  /// Throws BadInput if there is none for the model.
  CollideStreamKernel kernel(FlowModel const& model, Precision precision) const;
};

// A build defines the ones that TESSERA_KERNELS asked for (cmake/InstructionSets.cmake).
extern CpuKernels const generic_kernels;
extern CpuKernels const avx2_kernels;
extern CpuKernels const avx512_kernels;

/// The fastest set that this processor runs.
CpuKernels const& best_cpu_kernels();

}  // namespace tessera

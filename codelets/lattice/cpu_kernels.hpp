// SPDX-License-Identifier: MIT
// The collide-stream kernels for cores, a set for each instruction set, and the choice among them.
// Their models: models/lattice/known_models.hpp.
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

  /// The kernel for a model in a precision. Throws BadInput if there is none.
  CollideStreamKernel kernel(FlowModel const& model, Precision precision) const;
};

// A build defines those that TESSERA_KERNELS names (cmake/InstructionSets.cmake).
extern CpuKernels const generic_kernels;
extern CpuKernels const avx2_kernels;
extern CpuKernels const avx512_kernels;

/// The fastest set that this processor runs.
CpuKernels const& best_cpu_kernels();

}  // namespace tessera

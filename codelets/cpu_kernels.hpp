// SPDX-License-Identifier: MIT
// The collide-stream kernels for cores, a set for each instruction set, and the choice among them.
#pragma once

#include <array>
#include <vector>

#include "codelets/model_table.hpp"
#include "codelets/pull_plan.hpp"
#include "lattice/storage.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// One step of a tile, with its plan: old populations with their halo filled, new populations; both
/// as the kernel's precision stores them, 64-byte aligned.
using CollideStreamKernel = void (*)(TileView const& tile, PullPlan const& plan,
                                     void const* old_populations, void* new_populations,
                                     FlowParameters const& parameters);

/// Of one model, by Precision.
using ModelKernels = std::array<CollideStreamKernel, precisions>;

struct CpuKernels {
  char const* instruction_set;
  ModelTable<ModelKernels> of_model;

  /// Throws BadInput if there is none for the model.
  CollideStreamKernel kernel(FlowModel const& model, Precision precision) const;
};

extern CpuKernels const generic_kernels;
#ifdef __x86_64__
extern CpuKernels const avx2_kernels;
extern CpuKernels const avx512_kernels;
#endif

/// The fastest set that this processor runs.
CpuKernels const& best_cpu_kernels();

/// Whether there are kernels for a model.
bool has_kernels(FlowModel const& model);
/// All models of a velocity set that there are kernels for; BGK counts as TRT with equal rates.
std::vector<FlowModel> models_on(LatticeKind lattice);

}  // namespace tessera

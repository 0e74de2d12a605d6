// SPDX-License-Identifier: MIT
// The boundary conditions of a tile in a step, on a GPU: a thread a link, a node, or a group.
#pragma once

#include "codelets/lattice/boundary_plan.hpp"
#include "codelets/lattice/boundary_terms.hpp"

namespace tessera::gpu {

inline constexpr unsigned boundary_threads = 128;

__device__ inline std::uint32_t global_thread() {
  return blockIdx.x * boundary_threads + threadIdx.x;
}

template <class Lattice, class Storage>
__global__ void __launch_bounds__(boundary_threads)
    find_entering(BoundaryView const view, BoundaryParameters const parameters,
                  Storage const* __restrict__ f, double* __restrict__ entering_values,
                  double* __restrict__ memory) {
  std::uint32_t const i = global_thread();
  if (i >= view.counts.links) return;
  double* const of_link = memory == nullptr ? nullptr : memory + i;
  entering_values[i] = entering<Lattice>(view.links[i], f, parameters, of_link);
}

template <class Lattice, class Storage>
__global__ void __launch_bounds__(boundary_threads)
    find_forces(BoundaryView const view, Storage const* __restrict__ f,
                double const* __restrict__ entering_values, WallForce* __restrict__ forces) {
  std::uint32_t const g = global_thread();
  if (g < view.counts.groups)
    forces[g] = force_of_group<Lattice>(view, view.groups[g], f, entering_values);
}

template <class Storage>
__global__ void __launch_bounds__(boundary_threads)
    write_entering(BoundaryView const view, double const* __restrict__ entering_values,
                   Storage* __restrict__ f) {
  std::uint32_t const i = global_thread();
  if (i < view.counts.links) {
    f[view.links[i].target] =
        to_storage<Storage>(static_cast<Arithmetic<Storage>>(entering_values[i]));
  }
}

template <class Lattice, class Storage>
__global__ void __launch_bounds__(boundary_threads)
    replace_at_nodes(BoundaryView const view, BoundaryParameters const parameters, Storage* f) {
  std::uint32_t const i = global_thread();
  if (i < view.counts.nodes) replace_at<Lattice>(view.nodes[i], f, parameters);
}

/// Launches what apply_boundaries() of codelets/lattice/boundary_step.hpp does on a core.
template <class Lattice, class Storage>
void apply_boundaries(BoundaryView const& view, BoundaryParameters const& parameters, Storage* f,
                      double* entering_values, WallForce* forces, double* memory,
                      cudaStream_t stream) {
  auto const blocks = [](std::uint32_t threads) {
    return (threads + boundary_threads - 1) / boundary_threads;
  };
  BoundaryCounts const& counts = view.counts;
  if (counts.links > 0) {
    find_entering<Lattice><<<blocks(counts.links), boundary_threads, 0, stream>>>(
        view, parameters, f, entering_values, memory);
  }
  if (counts.groups > 0) {
    find_forces<Lattice>
        <<<blocks(counts.groups), boundary_threads, 0, stream>>>(view, f, entering_values, forces);
  }
  if (counts.links > 0) {
    write_entering<<<blocks(counts.links), boundary_threads, 0, stream>>>(view, entering_values, f);
  }
  if (counts.nodes > 0) {
    replace_at_nodes<Lattice>
        <<<blocks(counts.nodes), boundary_threads, 0, stream>>>(view, parameters, f);
  }
}

}  // namespace tessera::gpu

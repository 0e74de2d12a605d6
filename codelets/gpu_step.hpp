// SPDX-License-Identifier: MIT
// One step of one tile on a GPU, for the codelet and for benchmarks.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "lattice/collision.hpp"
#include "lattice/storage.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// Outboxes of the neighbours, as an argument of a kernel.
inline constexpr std::size_t most_inboxes = 60;
struct Inboxes {
  void const* box[most_inboxes];
};

/// What a step of a tile works on; all pointers are the GPU's.
struct GpuStep {
  TileView tile;
  void* old_populations = nullptr;  ///< the halo is written
  void* new_populations = nullptr;
  void* outbox = nullptr;  ///< own, or nullptr if the tile sends nothing
  Inboxes inboxes{};
};

/// Launches unpacking, collide-stream and packing. Returns what the launches say.
cudaError_t launch_step(Precision precision, Equilibrium equilibrium, GpuStep const& step,
                        CollisionParameters<double> const& parameters, cudaStream_t stream);

}  // namespace tessera

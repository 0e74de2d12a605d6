// SPDX-License-Identifier: MIT
// Packing and unpacking on a GPU: one warp a segment, one lane a node.
#pragma once

#include "codelets/lattice/gpu/gpu_step.hpp"
#include "codelets/lattice/halo.hpp"

namespace tessera::gpu {

inline constexpr unsigned halo_threads = 128;

__device__ inline std::uint32_t segment_of_warp() {
  return (blockIdx.x * halo_threads + threadIdx.x) / 32;
}

/// Copies the populations that leave a tile into its outboxes.
template <class Storage>
__global__ void __launch_bounds__(halo_threads)
    pack(TileView const tile, Storage const* __restrict__ populations, Outboxes const outboxes) {
  if (segment_of_warp() >= tile.counts.sends) return;
  Segment const segment = tile.sends[segment_of_warp()];
  auto* const outbox = static_cast<Storage*>(outboxes.box[segment.box]);
  std::uint32_t const lane = threadIdx.x % 32;
  if (lane >= segment.count) return;
  for_each_run(segment, [&](std::uint32_t node, std::uint32_t at) {
    outbox[at + lane] = populations[node + lane];
  });
}

/// Copies the populations that enter a tile from the neighbours' outboxes into its halo.
template <class Storage>
__global__ void __launch_bounds__(halo_threads)
    unpack(TileView const tile, Inboxes const inboxes, Storage* __restrict__ populations) {
  if (segment_of_warp() >= tile.counts.receives) return;
  Segment const segment = tile.receives[segment_of_warp()];
  auto const* const outbox = static_cast<Storage const*>(inboxes.box[segment.box]);
  std::uint32_t const lane = threadIdx.x % 32;
  if (lane >= segment.count) return;
  for_each_run(segment, [&](std::uint32_t node, std::uint32_t at) {
    populations[node + lane] = outbox[at + lane];
  });
}

}  // namespace tessera::gpu

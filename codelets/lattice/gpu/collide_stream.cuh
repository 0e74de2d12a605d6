// SPDX-License-Identifier: MIT
// One step of one tile on a GPU: one CUDA block a lattice block, one thread a node.
//
// A CUDA block first collects the rows of its lattice block and the ring around them in shared
// memory, and from their masks the voxel of each of its nodes. Then every thread finds its sources
// by population counts: no neighbour index is ever read. Reads are unaligned, writes are aligned;
// the other way round costs more (docs/performance.md).
#pragma once

#include <cstdint>

#include "base/storage.hpp"
#include "codelets/lattice/gpu/rows_around.cuh"
#include "codelets/lattice/launch_shapes.hpp"
#include "models/lattice/models.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera::gpu {

/// A staged row, packed so that a thread finds its sources in few instructions.
struct alignas(16) PackedRow {
  std::uint32_t mask;    ///< the row's nodes; in a narrow block also the voxel behind its end
  std::uint32_t origin;  ///< as in StagedRow
  std::uint32_t stride;
  std::uint32_t left;  ///< origin of the node at x = -1, and the top bit set if there is one
  std::uint32_t left_stride;
  std::uint32_t right;  ///< origin at x = width times two, plus one if a node is at row_voxels
  std::uint32_t right_stride;
};

__device__ inline PackedRow pack_row(StagedRow const& row, int width) {
  PackedRow packed{row.mask, row.origin, row.stride, 0, row.left_stride, 0, row.right_stride};
  if (row.left != no_node) packed.left = row.left | 0x80000000U;
  if (row.right != no_node) {
    packed.right = row.right << 1;
    if (width == row_voxels) {
      packed.right |= 1U;
    } else {
      packed.mask |= 1U << width;
    }
  }
  return packed;
}

/// Bit x says whether the voxel at x - dx of the row is a node.
template <int dx>
__device__ std::uint32_t sources(PackedRow const& row) {
  if constexpr (dx > 0) return __funnelshift_l(row.left, row.mask, 1);
  if constexpr (dx < 0) return __funnelshift_r(row.mask, row.right, 1);
  return row.mask;
}

/// A thread's node.
struct Node {
  std::uint32_t origin;  ///< where its population 0 stands
  std::uint32_t stride;
  std::uint32_t x;
  bool at_left;   ///< x = 0
  bool at_right;  ///< x = width - 1
};

/// Where the population q of a node comes from: the voxel at x - c_x of `row`, or, where there is a
/// wall, the node's own opposite population. `before`: nodes of the row left of x.
template <class Lattice, std::uint32_t q>
__device__ std::uint32_t source(PackedRow const& row, std::uint32_t before, Node const& node) {
  constexpr int dx = Lattice::x(q);
  std::uint32_t at = row.origin + before + q * row.stride;
  if constexpr (dx > 0) at = node.at_left ? (row.left & 0x7FFFFFFFU) + q * row.left_stride : at - 1;
  if constexpr (dx < 0) {
    at = node.at_right ? (row.right >> 1) + q * row.right_stride : at + (row.mask >> node.x & 1U);
  }
  bool const streamed = (sources<dx>(row) >> node.x & 1U) != 0;
  return streamed ? at : node.origin + Lattice::opposite(q) * node.stride;
}

/// Pulls the (at most three) populations whose velocities have y-component dy and z-component dz.
template <class Lattice, int dy, int dz, int q = 1, class Storage>
__device__ void pull_from_row(Arithmetic<Storage> (&f)[Lattice::size],
                              Storage const* __restrict__ old, PackedRow const& row,
                              std::uint32_t before, Node const& node) {
  if constexpr (q < Lattice::size) {
    if constexpr (Lattice::y(q) == dy && Lattice::z(q) == dz)
      f[q] = from_storage(old[source<Lattice, q>(row, before, node)]);
    pull_from_row<Lattice, dy, dz, q + 1>(f, old, row, before, node);
  }
}

/// Pulls all populations but the resting one; `own` is the node's row, `below` the voxels left of
/// x.
template <class Lattice, int k = 0, class Storage>
__device__ void pull_all(Arithmetic<Storage> (&f)[Lattice::size], Storage const* __restrict__ old,
                         PackedRow const* own, std::uint32_t below, Node const& node) {
  if constexpr (k < 9) {
    constexpr int dy = k % 3 - 1;
    constexpr int dz = k / 3 - 1;
    PackedRow const row = own[-dy - staged_edge * dz];
    auto const before = static_cast<std::uint32_t>(__popc(row.mask & below));
    pull_from_row<Lattice, dy, dz>(f, old, row, before, node);
    pull_all<Lattice, k + 1>(f, old, own, below, node);
  }
}

/// One CUDA block a lattice block. Launch: <<<tile.counts.blocks, threads>>>.
template <class Storage, class Model, int threads, int blocks_per_processor>
__global__ void __launch_bounds__(threads, blocks_per_processor)
    collide_stream(TileView const tile, Storage const* __restrict__ old, Storage* __restrict__ next,
                   typename Model::template Parameters<Arithmetic<Storage>> const parameters) {
  using Lattice = typename Model::Lattice;
  __shared__ PackedRow rows[staged_rows];
  __shared__ std::uint16_t voxels[voxels_per_block];  // of the block's nodes: x + row_voxels * row

  TileBlock const block = tile.blocks[blockIdx.x];
  auto const pack = [&](int i, StagedRow const& row) { rows[i] = pack_row(row, block.extent[0]); };
  if constexpr (asks_early(Model::model, sizeof(Storage))) {
    __shared__ TileBlock around[blocks_around];
    RowsAround<threads> brought(tile, around);
    __syncthreads();
    brought.for_each(pack);
  } else {
    for_each_staged_row(tile, blockIdx.x, static_cast<int>(threadIdx.x), threads, pack);
  }
  // A warp a row: its threads are as many as a row has voxels.
  std::uint32_t const lane = threadIdx.x % row_voxels;
  for (std::uint32_t r = threadIdx.x / row_voxels; r < rows_per_block; r += threads / row_voxels) {
    Row const row = tile.rows[std::uint64_t{blockIdx.x} * rows_per_block + r];
    if ((row.mask >> lane & 1U) != 0) {
      std::uint32_t const before = row.mask & ((1U << lane) - 1);
      voxels[row.first - block.first + static_cast<std::uint32_t>(__popc(before))] =
          static_cast<std::uint16_t>(row_voxels * r + lane);
    }
  }
  __syncthreads();

  for (std::uint32_t n = threadIdx.x; n < block.nodes; n += threads) {
    std::uint32_t const voxel = voxels[n];
    std::uint32_t const x = voxel % row_voxels;
    std::uint32_t const row = voxel / row_voxels;
    Node const node{population_at(block, 0, block.first + n), block.stride, x, x == 0,
                    x + 1 == block.extent[0]};
    PackedRow const* const own =
        rows + staged_index(static_cast<int>(y_of_row(row)), static_cast<int>(z_of_row(row)));
    Arithmetic<Storage> f[Lattice::size];
    pull_all<Lattice>(f, old, own, (1U << x) - 1, node);
    f[0] = from_storage(old[node.origin]);
    Model::collide(f, parameters);
#pragma unroll
    for (std::uint32_t q = 0; q < Lattice::size; ++q)
      next[node.origin + q * node.stride] = to_storage<Storage>(f[q]);
  }
}

}  // namespace tessera::gpu

// SPDX-License-Identifier: MIT
// Finding neighbours without an index list: the rows around a block, collected once, and a
// population count.
#pragma once

#include <cstdint>

#include "lattice/host_device.hpp"
#include "partition/tile.hpp"

namespace tessera {

inline constexpr std::uint32_t no_node = ~std::uint32_t{0};

TESSERA_HOST_DEVICE int count_bits(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

/// Number of the lowest set bit; bits != 0.
TESSERA_HOST_DEVICE std::uint32_t lowest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
  return static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
}

/// A row of nodes and the nodes at its two ends that belong to the blocks beside it. Nodes are
/// given by the position of their population 0; their other populations follow each a stride
/// behind.
struct StagedRow {
  std::uint32_t mask;
  std::uint32_t origin;  ///< of the row's first node
  std::uint32_t stride;
  std::uint32_t left;  ///< origin of the node at x = -1, or no_node
  std::uint32_t left_stride;
  std::uint32_t right;  ///< origin of the node at x = extent, or no_node
  std::uint32_t right_stride;
};

/// The rows of a block and the ring around them: y and z from -1 to block_edge.
inline constexpr int staged_edge = block_edge + 2;
inline constexpr int staged_rows = staged_edge * staged_edge;
TESSERA_HOST_DEVICE constexpr int staged_index(int y, int z) {
  return (y + 1) + staged_edge * (z + 1);
}

/// Row (y, z) of the surroundings of an own block, -1 <= y <= extent, likewise z.
TESSERA_HOST_DEVICE StagedRow stage_row(TileView const& tile, std::uint32_t block, int y, int z) {
  TileBlock const& own = tile.blocks[block];
  int const by = y < 0 ? -1 : (y >= own.extent[1] ? 1 : 0);
  int const bz = z < 0 ? -1 : (z >= own.extent[2] ? 1 : 0);
  std::int32_t const* const beside =
      tile.neighbours + block * std::uint64_t{blocks_around} + (block_itself + 3 * by + 9 * bz);

  auto const row_of = [&](std::int32_t b) -> Row const& {
    TileBlock const& at = tile.blocks[b];
    return row_at(tile, at, by < 0 ? at.extent[1] - 1 : (by > 0 ? 0 : y),
                  bz < 0 ? at.extent[2] - 1 : (bz > 0 ? 0 : z));
  };
  StagedRow staged{0, 0, 0, no_node, 0, no_node, 0};
  if (beside[0] >= 0) {
    TileBlock const& at = tile.blocks[beside[0]];
    Row const& row = row_of(beside[0]);
    staged.mask = row.mask;
    staged.origin = population_at(at, 0, row.first);
    staged.stride = at.stride;
  }
  if (beside[-1] >= 0) {
    TileBlock const& at = tile.blocks[beside[-1]];
    Row const& row = row_of(beside[-1]);
    if ((row.mask >> (at.extent[0] - 1) & 1U) != 0) {
      std::uint32_t const last = row.first + static_cast<std::uint32_t>(count_bits(row.mask)) - 1;
      staged.left = population_at(at, 0, last);
      staged.left_stride = at.stride;
    }
  }
  if (beside[1] >= 0) {
    TileBlock const& at = tile.blocks[beside[1]];
    Row const& row = row_of(beside[1]);
    if ((row.mask & 1U) != 0) {
      staged.right = population_at(at, 0, row.first);
      staged.right_stride = at.stride;
    }
  }
  return staged;
}

/// Visits the rows of an own block and the ring around them, from the number `first` on each
/// `step`-th: visit(number, StagedRow).
template <class Visit>
TESSERA_HOST_DEVICE void for_each_staged_row(TileView const& tile, std::uint32_t block, int first,
                                             int step, Visit&& visit) {
  auto const& extent = tile.blocks[block].extent;
  for (int i = first; i < staged_rows; i += step) {
    int const y = i % staged_edge - 1;
    int const z = i / staged_edge - 1;
    if (y <= extent[1] && z <= extent[2]) visit(i, stage_row(tile, block, y, z));
  }
}

/// Where population q of the node at x + dx (dx = -1, 0, 1) of a row stands, or no_node; the row's
/// block is `width` voxels wide.
TESSERA_HOST_DEVICE std::uint32_t population_in_row(StagedRow const& row, int x, int dx, int width,
                                                    std::uint32_t q) {
  int const at = x + dx;
  if (at < 0) return row.left == no_node ? no_node : row.left + q * row.left_stride;
  if (at >= width) return row.right == no_node ? no_node : row.right + q * row.right_stride;
  if ((row.mask >> at & 1U) == 0) return no_node;
  return row.origin + static_cast<std::uint32_t>(count_bits(row.mask & ((1U << at) - 1))) +
         q * row.stride;
}

/// Where the population q stands that streams to voxel (x, y, z) of a block, or no_node where there
/// is a wall: then it is the own, opposite one (half-way bounce-back).
template <class Lattice>
TESSERA_HOST_DEVICE std::uint32_t streamed_from(int q, StagedRow const* rows, int x, int y, int z,
                                                int width) {
  return population_in_row(rows[staged_index(y - Lattice::y(q), z - Lattice::z(q))], x,
                           -Lattice::x(q), width, static_cast<std::uint32_t>(q));
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Finding neighbours without an index list: the rows around a block, collected once, and a
// population count.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "partition/lattice/tile.hpp"

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

/// A row of nodes and the nodes at its two ends that belong to the neighbouring blocks. A node is
/// given by the position of its population 0; each next population follows a stride behind.
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

/// Where a row of the surroundings of an own block is.
struct RowPlace {
  int beside;  ///< number among the blocks around; its neighbours along x have the rows at the ends
  int y;       ///< in that block; -1: the last one; z in the same way
  int z;
};
/// Place of row (y, z) of a block of `rows_y` x `rows_z` rows, -1 <= y <= rows_y, -1 <= z <=
/// rows_z.
TESSERA_HOST_DEVICE RowPlace place_of_row(int y, int z, int rows_y, int rows_z) {
  int const by = y < 0 ? -1 : (y >= rows_y ? 1 : 0);
  int const bz = z < 0 ? -1 : (z >= rows_z ? 1 : 0);
  return {block_itself + 3 * by + 9 * bz, by > 0 ? 0 : y, bz > 0 ? 0 : z};
}
/// Number, among the rows of the tile, of the row at a place, in a block that exists.
TESSERA_HOST_DEVICE std::uint32_t number_of_row(TileBlock const& at, RowPlace const& place) {
  return number_of_row(at, place.y < 0 ? at.extent[1] - 1 : place.y,
                       place.z < 0 ? at.extent[2] - 1 : place.z);
}

/// A row of nodes with the nodes at its ends, from the same row of three blocks along x; a block
/// that does not exist has rows without nodes.
TESSERA_HOST_DEVICE StagedRow staged_row(TileBlock const& left_block, Row left,
                                         TileBlock const& block, Row row,
                                         TileBlock const& right_block, Row right) {
  StagedRow staged{row.mask, population_at(block, 0, row.first), block.stride, no_node, 0, no_node,
                   0};
  if (left.mask != 0 && (left.mask >> (left_block.extent[0] - 1) & 1U) != 0) {
    std::uint32_t const last = left.first + static_cast<std::uint32_t>(count_bits(left.mask)) - 1;
    staged.left = population_at(left_block, 0, last);
    staged.left_stride = left_block.stride;
  }
  if ((right.mask & 1U) != 0) {
    staged.right = population_at(right_block, 0, right.first);
    staged.right_stride = right_block.stride;
  }
  return staged;
}

/// Row (y, z) of an own block and the ring around it, -1 <= y <= extent y, -1 <= z <= extent z.
TESSERA_HOST_DEVICE StagedRow stage_row(TileView const& tile, std::uint32_t block, int y, int z) {
  TileBlock const& own = tile.blocks[block];
  RowPlace const place = place_of_row(y, z, own.extent[1], own.extent[2]);
  std::int32_t const* const beside =
      tile.neighbours + block * std::uint64_t{blocks_around} + place.beside;
  TileBlock const* at[3] = {&own, &own, &own};
  Row rows[3] = {};
  for (int i = 0; i < 3; ++i) {
    if (beside[i - 1] < 0) continue;
    at[i] = &tile.blocks[beside[i - 1]];
    rows[i] = tile.rows[number_of_row(*at[i], place)];
  }
  return staged_row(*at[0], rows[0], *at[1], rows[1], *at[2], rows[2]);
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
/// is a wall: then the node's own opposite population streams in (half-way bounce-back).
template <class Lattice>
TESSERA_HOST_DEVICE std::uint32_t streamed_from(int q, StagedRow const* rows, int x, int y, int z,
                                                int width) {
  return population_in_row(rows[staged_index(y - Lattice::y(q), z - Lattice::z(q))], x,
                           -Lattice::x(q), width, static_cast<std::uint32_t>(q));
}

}  // namespace tessera

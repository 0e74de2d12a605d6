// SPDX-License-Identifier: MIT
// Finding neighbours without an index list: the rows around a block, collected once, and a
// population count.
#pragma once

#include <cstdint>

#include "lattice/d3q19.hpp"
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

/// A row of nodes and the nodes at its two ends that belong to the blocks beside it.
struct StagedRow {
  std::uint32_t mask;
  std::uint32_t first;
  std::uint32_t left;   ///< node at x = -1 or no_node
  std::uint32_t right;  ///< node at x = extent or no_node
};

/// The rows of a block and the ring around them: y and z from -1 to 8.
inline constexpr int staged_edge = 10;
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
      tile.neighbours + block * std::uint64_t{27} + (13 + 3 * by + 9 * bz);

  auto const row_of = [&](std::int32_t b) -> Row const& {
    TileBlock const& at = tile.blocks[b];
    std::int64_t const row_y = by < 0 ? at.extent[1] - 1 : (by > 0 ? 0 : y);
    std::int64_t const row_z = bz < 0 ? at.extent[2] - 1 : (bz > 0 ? 0 : z);
    return tile.rows[static_cast<std::int64_t>(b) * 64 + row_y + 8 * row_z];
  };
  StagedRow staged{0, 0, no_node, no_node};
  if (beside[0] >= 0) {
    Row const& row = row_of(beside[0]);
    staged.mask = row.mask;
    staged.first = row.first;
  }
  if (beside[-1] >= 0) {
    Row const& row = row_of(beside[-1]);
    if ((row.mask >> (tile.blocks[beside[-1]].extent[0] - 1) & 1U) != 0) {
      staged.left = row.first + static_cast<std::uint32_t>(count_bits(row.mask)) - 1;
    }
  }
  if (beside[1] >= 0) {
    Row const& row = row_of(beside[1]);
    if ((row.mask & 1U) != 0) staged.right = row.first;
  }
  return staged;
}

/// Node at x + dx (dx = -1, 0, 1) of a row whose block is `width` voxels wide, or no_node.
TESSERA_HOST_DEVICE std::uint32_t node_in_row(StagedRow const& row, int x, int dx, int width) {
  int const at = x + dx;
  if (at < 0) return row.left;
  if (at >= width) return row.right;
  if ((row.mask >> at & 1U) == 0) return no_node;
  return row.first + static_cast<std::uint32_t>(count_bits(row.mask & ((1U << at) - 1)));
}

/// The node that population q streams from to voxel (x, y, z) of a block, or no_node where there is
/// a wall: then the population is the own, opposite one (half-way bounce-back).
template <int q>
TESSERA_HOST_DEVICE std::uint32_t source_node(StagedRow const* rows, int x, int y, int z,
                                              int width) {
  return node_in_row(rows[staged_index(y - D3Q19::y(q), z - D3Q19::z(q))], x, -D3Q19::x(q), width);
}

}  // namespace tessera

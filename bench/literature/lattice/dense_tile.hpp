// SPDX-License-Identifier: MIT
// The cube of the dense step as Tessera's blocks, all in one tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/lattice/block_rows.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

/// Largest edge whose populations fit one tile.
inline constexpr std::int64_t longest_tile_edge = 464;

/// A periodic cube without walls as one tile, which sends and receives nothing.
inline Tiling dense_tiling(std::int64_t edge) {
  Int3 const shape{edge, edge, edge};
  BlockGrid const grid({shape,
                        std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape)), 1),
                        {true, true, true}});
  return build_tiling(grid, TileOfBlock(static_cast<std::size_t>(grid.size()), 0),
                      Layout::together);
}

/// At least what the lattices and tables of dense_tiling() take.
constexpr std::size_t dense_tile_bytes(std::int64_t edge, std::size_t bytes_of_value) {
  auto const n = static_cast<std::size_t>(edge);
  std::size_t const blocks = ((n + row_voxels - 1) / row_voxels) *
                             ((n + block_edge - 1) / block_edge) *
                             ((n + block_edge - 1) / block_edge);
  std::size_t const slots = n * n * n + blocks * 2 * node_alignment;
  std::size_t const tables =
      rows_per_block * sizeof(Row) + blocks_around * sizeof(std::int32_t) + sizeof(TileBlock);
  return slots * 2 * D3Q19::size * bytes_of_value + blocks * (tables + sizeof(std::uint32_t)) +
         4096;
}

/// First voxel of each block of a tiling of one tile, in a cube of this edge.
inline std::vector<std::uint32_t> block_voxels(Tiling const& tiling) {
  std::vector<std::uint32_t> voxels;
  for (std::int32_t const block : tiling.tiles[0].blocks) {
    Int3 const origin = tiling.block_origins[static_cast<std::size_t>(block)];
    voxels.push_back(static_cast<std::uint32_t>(linear_index(tiling.image_shape, origin)));
  }
  return voxels;
}

/// Visits place x of row `row` of a block, if there is a node: visit(block, node, voxel).
template <class Visit>
TESSERA_HOST_DEVICE void visit_node(TileView const& tile, std::uint32_t const* first_voxels,
                                    std::uint32_t edge, std::uint32_t block, std::uint32_t row,
                                    std::uint32_t x, Visit&& visit) {
  Row const& nodes = tile.rows[std::size_t{block} * rows_per_block + row];
  if ((nodes.mask >> x & 1U) == 0) return;
  std::uint32_t const before = nodes.mask & ((1U << x) - 1);
  visit(tile.blocks[block], nodes.first + static_cast<std::uint32_t>(count_bits(before)),
        first_voxels[block] + x + edge * (y_of_row(row) + edge * z_of_row(row)));
}

}  // namespace tessera

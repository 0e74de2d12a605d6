// SPDX-License-Identifier: MIT
// A tile as the kernels see it: whole blocks of fluid nodes, the rows around them, and what crosses
// its border.
//
// Nodes are numbered block by block, row by row, x fastest; each block starts at a multiple of
// `node_alignment`. Nodes of other tiles from which populations stream stand in halo rows: these
// look like rows of own blocks, and their few populations that are needed are copied behind the
// populations of the own nodes (partition/lattice/halo_places.hpp).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "base/host_device.hpp"
#include "partition/lattice/block_shape.hpp"

namespace tessera {

/// Blocks start at multiples of this many nodes: one cache line of floats.
inline constexpr std::uint32_t node_alignment = 16;

/// Where the populations of a tile lie; kernels take either. A GPU's memory delivers one stretch of
/// some 50 kB faster than one for each velocity, far apart; a core follows long streams better
/// (docs/performance.md).
enum class Layout : std::uint8_t {
  apart,     ///< an array over all nodes of the tile for each velocity
  together,  ///< block after block, in each an array for each velocity
};

/// The fluid nodes of a row of voxels along x: bit x of the mask, and the number of the first.
struct Row {
  std::uint32_t mask;
  std::uint32_t first;
};

struct TileBlock {
  std::uint32_t first;  ///< first node
  std::uint32_t nodes;  ///< fluid nodes
  std::uint32_t base;   ///< population q of node n stands at base + q stride + n
  std::uint32_t stride;
  std::uint32_t rows;      ///< see number_of_row()
  std::uint8_t extent[3];  ///< voxels inside the image
  std::uint8_t row_pitch;  ///< see number_of_row()
};

/// Where population q of a node of the block stands in the populations of its tile.
TESSERA_HOST_DEVICE constexpr std::uint32_t population_at(TileBlock const& block, std::uint32_t q,
                                                          std::uint32_t node) {
  return block.base + q * block.stride + node;
}

/// A run of nodes of one row of which some populations cross between tiles: `directions` (bit q) of
/// `count` nodes, the first of which has population 0 at `origin`, stand at `at` in an outbox,
/// direction by direction.
struct Segment {
  std::uint32_t origin;
  std::uint32_t stride;  ///< from one population to the next
  std::uint32_t at;
  std::uint32_t directions;
  std::uint16_t count;
  /// The outbox: where it is filled, its number in Tile::outboxes; where it is read, its position
  /// among the tile's neighbours followed by the foreign outboxes that it reads.
  std::uint16_t box;
};

/// Counts that describe a tile's tables.
struct TileCounts {
  std::uint32_t blocks = 0;
  std::uint32_t halo_blocks = 0;
  std::uint32_t nodes = 0;        ///< fluid nodes
  std::uint32_t rows = 0;         ///< of all blocks
  std::uint32_t slots = 0;        ///< own nodes with the gaps between blocks
  std::uint32_t halo_values = 0;  ///< populations behind them, with gaps
  std::uint32_t sends = 0;
  std::uint32_t receives = 0;
  std::uint32_t outboxes = 0;
  std::uint32_t outbox_values = 0;  ///< in all of them
};

/// Read-only pointers into a tile's tables, in main memory or in a GPU's.
struct TileView {
  TileCounts counts;
  TileBlock const* blocks = nullptr;  ///< [blocks + halo_blocks]; nodes of halo blocks are not own
  /// [blocks][rows_per_block], then the rows of the halo: see number_of_row()
  Row const* rows = nullptr;
  /// [blocks][blocks_around], x fastest; -1 where there is nothing
  std::int32_t const* neighbours = nullptr;
  Segment const* sends = nullptr;
  Segment const* receives = nullptr;
};

/// Number of row (y, z) of a block. A halo block has only those rows that own blocks touch.
TESSERA_HOST_DEVICE constexpr std::uint32_t number_of_row(TileBlock const& block, int y, int z) {
  return block.rows + static_cast<std::uint32_t>(y + block.row_pitch * z);
}

/// Visits the nodes of an own block: visit(voxel in the block, node).
template <class Visit>
void for_each_node(TileView const& tile, std::size_t block, Visit&& visit) {
  for (std::uint32_t r = 0; r < rows_per_block; ++r) {
    Row const& row = tile.rows[block * rows_per_block + r];
    std::uint32_t node = row.first;
    for (std::uint32_t left = row.mask; left != 0; left &= left - 1)
      visit(Int3{std::countr_zero(left), y_of_row(r), z_of_row(r)}, node++);
  }
}

/// Bytes of the tables in one buffer.
std::size_t tables_bytes(TileCounts const& counts);

/// The tables inside a buffer of tables_bytes() bytes.
TileView view_tables(TileCounts const& counts, std::byte const* buffer);

}  // namespace tessera

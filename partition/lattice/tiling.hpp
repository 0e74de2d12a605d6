// SPDX-License-Identifier: MIT
// The tiles of a geometry with everything that a run needs to know of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// What leaves a tile in a step for the tiles of one process (rank), or of one part of the own
/// process.
struct Outbox {
  static constexpr std::int32_t all_parts = -1;

  std::int32_t rank = 0;
  std::int32_t part = all_parts;  ///< whose tiles read it
  std::uint32_t values = 0;

  bool is_for(std::int32_t to_rank, std::int32_t to_part) const {
    return rank == to_rank && (part == all_parts || part == to_part);
  }
};

/// The outbox of a tile of another rank for this one.
struct ForeignOutbox {
  std::int32_t tile = 0;  ///< number among the tiles of all ranks
  std::int32_t rank = 0;
  std::uint32_t values = 0;
};

struct Tile {
  TileCounts counts;
  std::vector<std::byte> tables;         ///< see view_tables()
  std::vector<std::int32_t> blocks;      ///< global numbers of the own blocks, ascending
  std::vector<std::int32_t> neighbours;  ///< tiles whose outboxes it reads, ascending
  std::vector<std::int32_t> foreign;     ///< of Tiling::foreign, what it reads as well
  std::vector<Outbox> outboxes;          ///< for its neighbours, and for each rank where others are
  std::int32_t part = 0;                 ///< of a two-level cut
  /// Values in the population buffer: the same for all tiles of a layout, so that their buffers
  /// are interchangeable.
  std::size_t population_values = 0;
  /// The first values of the population buffer, so many, stay from step to step; the others are
  /// halo, and filled in each step. All tiles of a layout have the same number, so that their
  /// buffers are interchangeable.
  std::size_t kept_values = 0;

  /// The outbox that tiles of a part of a rank read.
  std::size_t outbox_for(std::int32_t rank, std::int32_t reading_part) const {
    auto const found = std::ranges::find_if(
        outboxes, [&](Outbox const& box) { return box.is_for(rank, reading_part); });
    return static_cast<std::size_t>(found - outboxes.begin());
  }
};

/// The tiles of one rank; a single process has all tiles.
struct Tiling {
  std::vector<Tile> tiles;
  std::int32_t first_tile = 0;         ///< number of the first one among those of all ranks
  std::vector<ForeignOutbox> foreign;  ///< that the tiles read
  LatticeKind lattice = LatticeKind::d3q19;
  std::int64_t nodes = 0;   ///< fluid nodes of all ranks
  std::int32_t blocks = 0;  ///< blocks of all ranks
  Int3 image_shape;
  std::vector<Int3> block_origins;          ///< by global block number
  std::vector<std::int32_t> rank_of_block;  ///< by global block number; empty: all are of this one

  /// Number of the tile tiles[t] among the tiles of all ranks.
  std::int32_t number_of(std::size_t t) const { return first_tile + static_cast<std::int32_t>(t); }
};

inline TileView view_of(Tile const& tile) { return view_tables(tile.counts, tile.tables.data()); }

/// First voxel of a tile's own block, in the image; `block`: its number in the tile.
inline Int3 origin_of(Tiling const& tiling, Tile const& tile, std::size_t block) {
  return tiling.block_origins[static_cast<std::size_t>(tile.blocks[block])];
}

/// Visits the own nodes of a tile: visit(voxel of the image, node, number of its block in the
/// tile).
template <class Visit>
void for_each_node(Tiling const& tiling, Tile const& tile, Visit&& visit) {
  TileView const view = view_of(tile);
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    Int3 const origin = origin_of(tiling, tile, b);
    for_each_node(view, b,
                  [&](Int3 in_block, std::uint32_t node) { visit(origin + in_block, node, b); });
  }
}

/// Builds the tiles of a cut: numbering, neighbour tables, halo plan. Throws BadInput if a tile is
/// too large for 32-bit node numbers.
Tiling build_tiling(BlockGrid const& grid, TileOfBlock const& tile_of_block,
                    Layout layout = Layout::apart);
/// Builds the tiles of one rank, each part in a layout of its own.
Tiling build_tiling(BlockGrid const& grid, TwoLevelCut const& cut,
                    std::vector<Layout> const& layout_of_part, std::int32_t rank = 0);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The tiles of a geometry with everything that a run needs to know of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partition/block_grid.hpp"
#include "partition/cut.hpp"
#include "partition/tile.hpp"

namespace tessera {

struct Tile {
  TileLayout layout;
  std::vector<std::byte> tables;         ///< see view_tables()
  std::vector<std::int32_t> blocks;      ///< global numbers of the own blocks, ascending
  std::vector<std::int32_t> neighbours;  ///< tiles whose outboxes it reads, ascending
};

struct Tiling {
  std::vector<Tile> tiles;
  /// Of each tile the part of a two-level cut; all 0 in a cut of one level.
  std::vector<std::int32_t> part_of_tile;
  /// Values in the population buffer of each tile, with the slack that kernels may load: the same
  /// for all tiles, so that their buffers are interchangeable.
  std::size_t population_values = 0;
  std::int64_t nodes = 0;
  std::int32_t blocks = 0;
  Int3 image_shape;
  std::vector<Int3> block_origins;  ///< by global block number
};

/// Builds the tiles of a cut: numbering, neighbour tables, halo plan. Throws BadInput if a tile is
/// too large for 32-bit node numbers.
Tiling build_tiling(BlockGrid const& grid, TileOfBlock const& tile_of_block,
                    Layout layout = Layout::apart);
Tiling build_tiling(BlockGrid const& grid, TwoLevelCut const& cut, Layout layout);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Tiles while they are built, and what they read of each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/lattice/tile.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

/// What a tile reads of one row of another tile's block.
struct HaloRow {
  std::int32_t block = 0;  ///< global number
  int row = 0;
  std::uint32_t mask = 0;  ///< nodes
  std::uint32_t directions = 0;
};

/// The halo of one tile: the foreign blocks around it, and what is read of their rows.
struct Halo {
  std::map<std::int32_t, std::array<HaloRow, rows_per_block>> blocks;
};

/// Adds the rows of `other` (global number n) whose populations enter `block` from its neighbour in
/// direction d; `all`: all populations of its nodes. Returns whether there are any.
bool need_rows(Halo& halo, LatticeKind lattice, Block const& block, std::int32_t n,
               Block const& other, Int3 d, bool all);

/// The rows of a halo in the order in which they travel.
std::vector<HaloRow> rows_in_order(Halo const& halo);

/// A tile while it is built.
struct Draft {
  TileCounts counts;
  std::vector<TileBlock> blocks;
  std::vector<Row> rows;
  std::vector<std::int32_t> neighbours;
  std::vector<Segment> sends;
  std::vector<Segment> receives;
  std::vector<HaloRow> halo_rows;  ///< with receives, one each, until their senders are known
  std::vector<std::int32_t> own_blocks;
  std::vector<std::int32_t> neighbour_tiles;
  std::vector<std::int32_t> foreign;
  std::vector<Outbox> outboxes;
  std::int32_t part = 0;
  Layout place = Layout::apart;
  std::size_t population_values = 0;
  std::size_t kept_values = 0;
};

/// Fills the outboxes of one rank's tiles, whose places are known, and finds the outboxes of other
/// ranks that they read: the tiling's `foreign`. Both ranks at a border visit the readers in the
/// order of their tiles, and the halo rows of each in the halo's order: so no message is needed to
/// agree on the places.
void connect(Tiling& tiling, std::vector<Draft>& own, BlockGrid const& grid, TwoLevelCut const& cut,
             std::int32_t rank);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Tiles one behind the other, for lattices that do not fit into the memory of their GPUs: a slab
// has two neighbours, so a sweep through them needs few of them at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/tile_levels.hpp"

namespace tessera {

/// Along which axis a lattice is best cut into slabs.
struct SlabDirection {
  Axis axis = Axis::z;
  std::int64_t layers = 0;  ///< of blocks along it
  bool wraps = false;       ///< the first layer and the last are neighbours
};

/// The axis that most layers of blocks lie along; among equals, one that does not wrap.
SlabDirection slab_direction(BlockGrid const& grid, std::array<bool, 3> periodic);

/// Shares each layer of blocks across an axis among so many parts, in pieces of equal work that lie
/// beside each other: so a sweep through the layers gives all parts as much to do at any time, and
/// their slabs are equally large. Returns the part of each block; some parts have no block in
/// layers of few blocks.
TileOfBlock share_layers(BlockGrid const& grid, BlockGraph const& graph, Axis axis,
                         std::int32_t parts);

struct Slabs {
  TwoLevelCut cut;
  TileLevels levels;
};

/// Cuts across the direction into `levels` levels of whole layers, or as many as there are layers;
/// a slab is the share that a part has in a level. Layers without fluid make none.
Slabs cut_into_layers(BlockGrid const& grid, TileOfBlock const& part_of_block,
                      SlabDirection const& along, std::int32_t levels);

/// The slabs of these levels for several ranks, which have so many of the parts each, one behind
/// the other.
Slabs over_ranks(Slabs slabs, std::vector<std::int32_t> const& parts_of_rank);

/// The levels of the tiles that a rank has.
TileLevels levels_of_rank(Slabs const& slabs, std::int32_t rank);

/// Cuts each part into slabs of about equally many nodes. A slab need not end with a layer; as long
/// as it holds more than one, only slabs that follow each other are neighbours.
TwoLevelCut cut_into_slabs(BlockGrid const& grid, TileOfBlock const& part_of_block, Axis axis,
                           std::int32_t slabs_per_part);

}  // namespace tessera

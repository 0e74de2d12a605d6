// SPDX-License-Identifier: MIT
// Some blocks of a graph, to be cut by themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/cut.hpp"

namespace tessera {

/// Some blocks of a graph and the edges among them.
struct SubGraph {
  std::vector<std::int32_t> blocks;  ///< their numbers in the whole graph
  BlockGraph graph;  ///< its outer blocks are those that are outer in the whole graph
};

/// The blocks of one part.
SubGraph sub_graph(BlockGraph const& graph, std::vector<std::int32_t> const& part_of_block,
                   std::int32_t part);

/// Gives the blocks of a sub-graph the tiles that it is cut into, `tiles`, numbered from `first` on
/// in the whole; returns the number after the last one.
std::int32_t number_tiles(SubGraph const& sub, TileOfBlock const& tiles, std::int32_t first,
                          TileOfBlock& whole);

}  // namespace tessera

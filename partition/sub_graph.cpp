// SPDX-License-Identifier: MIT
#include "partition/sub_graph.hpp"

#include <algorithm>

namespace tessera {

SubGraph sub_graph(BlockGraph const& graph, std::vector<std::int32_t> const& part_of_block,
                   std::int32_t part) {
  SubGraph sub;
  std::vector<std::int32_t> place(part_of_block.size(), -1);
  for (std::size_t b = 0; b < part_of_block.size(); ++b) {
    if (part_of_block[b] != part) continue;
    place[b] = static_cast<std::int32_t>(sub.blocks.size());
    sub.blocks.push_back(static_cast<std::int32_t>(b));
  }
  sub.graph.first_edge.push_back(0);
  for (std::int32_t const block : sub.blocks) {
    auto const b = static_cast<std::size_t>(block);
    sub.graph.work.push_back(graph.work[b]);
    sub.graph.curve_position.push_back(graph.curve_position[b]);
    for (auto e = static_cast<std::size_t>(graph.first_edge[b]);
         e < static_cast<std::size_t>(graph.first_edge[b + 1]); ++e) {
      std::int32_t const other = place[static_cast<std::size_t>(graph.neighbour[e])];
      if (other < 0) continue;
      sub.graph.neighbour.push_back(other);
      sub.graph.links.push_back(graph.links[e]);
      sub.graph.cost.push_back(graph.cost[e]);
    }
    sub.graph.first_edge.push_back(static_cast<std::int32_t>(sub.graph.neighbour.size()));
    sub.graph.outer.push_back(graph.is_outer(block));
  }
  return sub;
}

std::int32_t number_tiles(SubGraph const& sub, TileOfBlock const& tiles, std::int32_t first,
                          TileOfBlock& whole) {
  std::int32_t end = first;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    whole[static_cast<std::size_t>(sub.blocks[i])] = first + tiles[i];
    end = std::max(end, first + tiles[i] + 1);
  }
  return end;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "partition/lattice/block_graph.hpp"

#include <cstdint>
#include <map>

namespace tessera {
namespace {

/// Interleaves the bits of a block's position: its place on the Z-order curve.
std::uint64_t curve_position(Int3 at) {
  std::uint64_t key = 0;
  for (unsigned bit = 0; bit < 21; ++bit) {
    key |= ((static_cast<std::uint64_t>(at.x) >> bit & 1U) << (3 * bit)) |
           ((static_cast<std::uint64_t>(at.y) >> bit & 1U) << (3 * bit + 1)) |
           ((static_cast<std::uint64_t>(at.z) >> bit & 1U) << (3 * bit + 2));
  }
  return key;
}

}  // namespace

BlockGraph block_graph(BlockGrid const& grid, std::int32_t work_per_block) {
  // Populations that cross along x lie in a cache line of their own each, those that cross along y
  // and z side by side: they cost about six times as much memory traffic.
  constexpr std::int64_t cost_across_x = 6;
  struct Edge {
    std::int64_t links = 0;
    std::int64_t cost = 0;
  };
  BlockGraph graph;
  graph.first_edge.push_back(0);
  for (std::int32_t b = 0; b < grid.size(); ++b) {
    Block const& block = grid.blocks()[static_cast<std::size_t>(b)];
    std::map<std::int32_t, Edge>
        edges;  // a block meets another more than once where the grid wraps
    for (Int3 const d : block_directions()) {
      std::int32_t const n = grid.neighbour(b, d);
      if (n < 0 || n == b) continue;
      Block const& other = grid.blocks()[static_cast<std::size_t>(n)];
      // What b sends to n, n sends back along the opposite velocities.
      std::int64_t const links = 2 * crossing_links(grid.lattice(), block, other, d);
      if (links == 0) continue;
      edges[n].links += links;
      edges[n].cost += d.x == 0 ? links : cost_across_x * links;
    }
    for (auto const& [n, edge] : edges) {
      graph.neighbour.push_back(n);
      graph.links.push_back(static_cast<std::int32_t>(edge.links));
      graph.cost.push_back(static_cast<std::int32_t>(edge.cost));
    }
    graph.first_edge.push_back(static_cast<std::int32_t>(graph.neighbour.size()));
    graph.work.push_back(block.nodes + work_per_block);
    graph.curve_position.push_back(curve_position(block.at));
  }
  return graph;
}

TwoLevelCut cut_in_a_row(BlockGrid const& grid, BlockGraph const& graph,
                         std::vector<Part> const& parts) {
  std::vector<PlacesAlongAxis> axes;
  for (Axis const axis : {Axis::z, Axis::y, Axis::x}) {
    PlacesAlongAxis& places = axes.emplace_back();
    for (Block const& block : grid.blocks()) places.push_back(static_cast<double>(block.at[axis]));
  }
  return cut_in_a_row(graph, axes, parts);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "gas/pack_graph.hpp"

#include <cmath>
#include <map>

#include "spectral/cost.hpp"

namespace tessera::spectral {

BlockGraph pack_graph(MeshOfGas const& of) {
  Mesh const& mesh = of.mesh;
  BlockGraph graph;
  graph.first_edge.push_back(0);
  for (std::size_t p = 0; p < of.packs.packs.size(); ++p) {
    Pack const& pack = of.packs.packs[p];
    PackShape const shape{mesh.dimension, pack.degree};
    std::map<std::int32_t, std::int32_t> crossing;  // packs may meet at several sides
    for (std::int32_t lane = 0; lane < pack.elements; ++lane) {
      auto const e = static_cast<std::size_t>(pack.element[static_cast<std::size_t>(lane)]);
      for (std::size_t s = 0; s < mesh.sides(); ++s) {
        std::int32_t const other = mesh.face(e, s).neighbour;
        if (other < 0) continue;
        auto const o = static_cast<std::size_t>(other);
        std::int32_t const there = of.packs.place_of[o].pack;
        if (there == static_cast<std::int32_t>(p)) continue;
        PackShape const theirs{mesh.dimension, mesh.degree[o]};
        crossing[there] += variables * (shape.side_points() + theirs.side_points());
      }
    }
    for (auto const& [there, numbers] : crossing) {
      graph.neighbour.push_back(there);
      graph.links.push_back(numbers);
      graph.cost.push_back(numbers);
    }
    graph.first_edge.push_back(static_cast<std::int32_t>(graph.neighbour.size()));
    graph.work.push_back(static_cast<std::int32_t>(
        std::lround(pack.elements * shape.points() * cost_of_point(pack.degree)) + 1));
    graph.curve_position.push_back(of.packs.curve_position[p]);
  }
  return graph;
}

}  // namespace tessera::spectral

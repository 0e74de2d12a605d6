// SPDX-License-Identifier: MIT
#include "methods/spectral/pack_graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/spectral/cost.hpp"
#include "partition/row_cut.hpp"

namespace tessera::spectral {
namespace {

/// The middles of the packs along an axis, on a scale so coarse that those of one layer are equal
/// whatever way their nodes' sums were rounded.
PlacesAlongAxis places_along(std::size_t axis, MeshOfGas const& of) {
  PlacesAlongAxis places;
  for (Pack const& pack : of.packs.packs) {
    double sum = 0;
    for (std::int32_t lane = 0; lane < pack.elements; ++lane) {
      auto const e = static_cast<std::size_t>(pack.element[static_cast<std::size_t>(lane)]);
      for (Point const& node : of.mesh.nodes_of(e)) sum += node[axis];
    }
    places.push_back(sum / static_cast<double>(pack.elements) /
                     static_cast<double>(of.mesh.nodes_per_element()));
  }
  auto const [low, high] = std::ranges::minmax(places);
  double const scale = high > low ? 0x1p20 / (high - low) : 0;
  for (double& place : places) place = std::round((place - low) * scale);
  return places;
}

}  // namespace

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
    graph.curve_position.push_back(p);
  }
  return graph;
}

TwoLevelCut cut_packs_in_a_row(MeshOfGas const& of, std::vector<Part> const& parts) {
  std::vector<PlacesAlongAxis> axes(static_cast<std::size_t>(of.mesh.dimension));
  for (std::size_t a = 0; a < axes.size(); ++a) axes[a] = places_along(a, of);
  return cut_in_a_row(pack_graph(of), axes, parts);
}

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
#include "run/spread/components.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/ranks/all_gather.hpp"
#include "base/ranks/ranks.hpp"
#include "geometry/runs.hpp"
#include "geometry/winding_forest.hpp"
#include "run/spread/layer_above.hpp"

namespace tessera {
namespace {

using OuterRun = PoreComponents::OuterRun;

/// Two components of neighbouring ranks that touch, and how many periods of the box the second is
/// further on.
using Touching = std::tuple<std::int32_t, std::int32_t, Winding>;

/// The rows of a layer.
class Rows {
 public:
  Rows(std::vector<OuterRun> const& layer, std::int64_t rows)
      : first_(static_cast<std::size_t>(rows) + 1) {
    for (OuterRun const& run : layer) {
      runs_.push_back(run.run);
      ++first_[static_cast<std::size_t>(run.y) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  std::size_t first(std::int64_t y) const { return first_[static_cast<std::size_t>(y)]; }
  std::span<Run const> runs(std::int64_t y) const {
    return std::span(runs_).subspan(first(y), first(y + 1) - first(y));
  }

 private:
  std::vector<Run> runs_;
  std::vector<std::size_t> first_;
};

/// Pairs of components that touch between this rank's last layer and the layer above it: own ones
/// first.
std::set<Touching> touching_above(SpreadGeometry const& geometry, Links links,
                                  std::vector<OuterRun> const& last,
                                  std::vector<OuterRun> const& above) {
  std::set<Touching> touching;
  if (above.empty()) return touching;
  Int3 const shape = geometry.shape;
  Rows const rows(last, shape.y);
  Rows const rows_above(above, shape.y);
  std::int32_t const turn = geometry.layers.upper == shape.z ? 1 : 0;
  for (RowBeside const& beside : rows_beside(links)) {
    if (beside.dz == 0) continue;
    for (std::int64_t y = 0; y < shape.y; ++y) {
      auto const to = wrapped(y + beside.dy, shape.y, geometry.periodic[1]);
      if (!to) continue;
      for_each_touch(rows.runs(y), rows_above.runs(to->first), {shape.x, geometry.periodic[0]},
                     beside.reach, {0, to->second, turn},
                     [&](std::size_t i, std::size_t j, Winding step) {
                       OuterRun const& a = last[rows.first(y) + i];
                       OuterRun const& b = above[rows_above.first(to->first) + j];
                       for (std::size_t k = 0; k < 3; ++k) step[k] += a.winding[k] - b.winding[k];
                       touching.emplace(a.component, b.component, step);
                     });
    }
  }
  return touching;
}

/// A component that reaches a layer where ranks meet.
struct Outer {
  std::int32_t rank = 0;
  std::int32_t number = 0;  ///< of the component in its rank
  PoreComponents::Component component;
};

/// Two outer components that touch; the second one is of the rank above.
struct Pair {
  std::array<std::int32_t, 2> rank{};
  std::array<std::int32_t, 2> number{};
  Winding step{};
};

std::vector<Outer> outer_components(SpreadGeometry const& geometry, PoreComponents const& own) {
  std::vector<Outer> outer;
  for (std::int32_t c = 0; c < own.count(); ++c) {
    PoreComponents::Component component = own.component(c);
    auto& [lower, upper] = component.touches[2];
    if (!lower && !upper) continue;
    lower = lower && geometry.layers.lower == 0;
    upper = upper && geometry.layers.upper == geometry.shape.z;
    outer.push_back({Ranks::rank(), c, component});
  }
  return outer;
}

std::vector<Pair> pairs_above(SpreadGeometry const& geometry, Links links,
                              PoreComponents const& own) {
  std::vector<Pair> pairs;
  auto const above = from_above(geometry, own.first_layer());
  for (auto const& [a, b, step] : touching_above(geometry, links, own.last_layer(), above))
    pairs.push_back({{Ranks::rank(), rank_above(geometry)}, {a, b}, step});
  return pairs;
}

/// The outer components of all ranks, in the same order, once those that touch are united. Each
/// rank computes this itself: they are few.
std::vector<PoreComponents::Component> united(std::vector<Outer> const& outer,
                                              std::vector<Pair> const& pairs) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> place;
  for (std::size_t i = 0; i < outer.size(); ++i) place[{outer[i].rank, outer[i].number}] = i;
  WindingForest forest(outer.size());
  for (std::size_t i = 0; i < outer.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Winding once{};
      once[axis] = 1;
      if (outer[i].component.wraps[axis]) forest.unite(i, i, once);
    }
  }
  for (Pair const& pair : pairs) {
    forest.unite(place.at({pair.rank[0], pair.number[0]}), place.at({pair.rank[1], pair.number[1]}),
                 pair.step);
  }
  std::vector<PoreComponents::Component> of_root(outer.size());
  for (std::size_t i = 0; i < outer.size(); ++i) {
    std::size_t const root = forest.find(i);
    of_root[root].wraps = forest.wraps(root);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t side = 0; side < 2; ++side)
        of_root[root].touches[axis][side] |= outer[i].component.touches[axis][side];
    }
  }
  std::vector<PoreComponents::Component> all(outer.size());
  for (std::size_t i = 0; i < outer.size(); ++i) all[i] = of_root[forest.find(i)];
  return all;
}

}  // namespace

SpreadComponents::SpreadComponents(SpreadGeometry const& geometry, Links links)
    : own_(geometry.own, links), voxels_(geometry.sample_voxels()) {
  if (!geometry.everywhere) unite_with_others(geometry, links);
  for (Axis axis : all_axes) percolating_[index_of(axis)] = own_.percolating_voxels(axis);
  if (!geometry.everywhere) Ranks::sum(percolating_);
}

void SpreadComponents::unite_with_others(SpreadGeometry const& geometry, Links links) {
  auto const outer = all_gather(outer_components(geometry, own_));
  auto const all = united(outer, all_gather(pairs_above(geometry, links, own_)));
  for (std::int32_t c = 0; c < own_.count(); ++c) {
    // This holds for components inside this rank's layers: they reach no end of the image along z.
    PoreComponents::Component component = own_.component(c);
    component.touches[2] = {};
    own_.set_percolates(c, leads_through(component, geometry.periodic));
  }
  for (std::size_t i = 0; i < outer.size(); ++i) {
    if (outer[i].rank == Ranks::rank())
      own_.set_percolates(outer[i].number, leads_through(all[i], geometry.periodic));
  }
}

}  // namespace tessera

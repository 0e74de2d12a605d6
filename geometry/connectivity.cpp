// SPDX-License-Identifier: MIT
#include "geometry/connectivity.hpp"

#include <algorithm>
#include <numeric>

#include "base/machine/thread_team.hpp"
#include "geometry/winding_forest.hpp"

namespace tessera {

PoreComponents::PoreComponents(Geometry const& geometry, Links links)
    : voxels_(static_cast<double>(volume(geometry.shape))) {
  find_runs(geometry);
  WindingForest forest = unite_runs(geometry, links);
  number(forest, geometry);
}

void PoreComponents::find_runs(Geometry const& geometry) {
  Int3 const shape = geometry.shape;
  // The runs of each layer, and in first_run_ how many each of its rows has.
  std::vector<std::vector<Run>> of_layer(static_cast<std::size_t>(shape.z));
  first_run_.resize(static_cast<std::size_t>(shape.y * shape.z) + 1);
  in_parallel(shape.z, [&](std::int64_t z) {
    std::vector<Run>& runs = of_layer[static_cast<std::size_t>(z)];
    for (std::int64_t row = z * shape.y; row < (z + 1) * shape.y; ++row) {
      std::size_t const before = runs.size();
      auto const begin = geometry.pore.begin() + row * shape.x;
      auto const end = begin + shape.x;
      for (auto at = std::find(begin, end, 1); at != end;) {
        auto const stop = std::find(at, end, 0);
        runs.push_back(
            {static_cast<std::int32_t>(at - begin), static_cast<std::int32_t>(stop - begin)});
        at = std::find(stop, end, 1);
      }
      first_run_[static_cast<std::size_t>(row)] = runs.size() - before;
    }
  });
  std::exclusive_scan(first_run_.begin(), first_run_.end(), first_run_.begin(), std::size_t{0});
  for (std::vector<Run> const& runs : of_layer) runs_.insert(runs_.end(), runs.begin(), runs.end());
}

WindingForest PoreComponents::unite_runs(Geometry const& geometry, Links links) const {
  Int3 const shape = geometry.shape;
  WindingForest forest(runs_.size());
  std::vector<RowBeside> const beside = rows_beside(links);
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      auto const row = static_cast<std::size_t>(y + shape.y * z);
      std::span<Run const> const runs = runs_of(row);
      if (runs.empty()) continue;
      if (geometry.periodic[0] && runs.front().begin == 0 && runs.back().end == shape.x)
        forest.unite(first_run_[row + 1] - 1, first_run_[row], {1, 0, 0});
      for (auto const& [dy, dz, reach] : beside) {
        auto const to_y = wrapped(y + dy, shape.y, geometry.periodic[1]);
        auto const to_z = wrapped(z + dz, shape.z, geometry.periodic[2]);
        if (!to_y || !to_z) continue;
        auto const other = static_cast<std::size_t>(to_y->first + shape.y * to_z->first);
        for_each_touch(runs, runs_of(other), {shape.x, geometry.periodic[0]}, reach,
                       {0, to_y->second, to_z->second},
                       [&](std::size_t a, std::size_t b, Winding const& winding) {
                         forest.unite(first_run_[row] + a, first_run_[other] + b, winding);
                       });
      }
    }
  }
  return forest;
}

/// Counts the components, in the order of their first runs, and sees which of them lead through.
void PoreComponents::number(WindingForest& forest, Geometry const& geometry) {
  Int3 const shape = geometry.shape;
  std::vector<std::int32_t> number(runs_.size(), -1);
  component_of_run_.resize(runs_.size());
  for (std::size_t row = 0; row + 1 < first_run_.size(); ++row) {
    auto const y = static_cast<std::int64_t>(row) % shape.y;
    auto const z = static_cast<std::int64_t>(row) / shape.y;
    for (std::size_t r = first_run_[row]; r < first_run_[row + 1]; ++r) {
      std::size_t const root = forest.find(r);
      if (number[root] < 0) {
        number[root] = static_cast<std::int32_t>(components_.size());
        components_.push_back({.wraps = forest.wraps(root)});
      }
      component_of_run_[r] = number[root];
      Component& component = components_[static_cast<std::size_t>(number[root])];
      component.voxels += runs_[r].end - runs_[r].begin;
      component.touches[0][0] |= runs_[r].begin == 0;
      component.touches[0][1] |= runs_[r].end == shape.x;
      component.touches[1][0] |= y == 0;
      component.touches[1][1] |= y == shape.y - 1;
      component.touches[2][0] |= z == 0;
      component.touches[2][1] |= z == shape.z - 1;
      OuterRun const outer{y, runs_[r], number[root], forest.winding(r)};
      if (z == 0) outer_[0].push_back(outer);
      if (z == shape.z - 1) outer_[1].push_back(outer);
    }
  }
  for (Component& component : components_)
    component.percolates = leads_through(component, geometry.periodic);
}

std::int64_t PoreComponents::percolating_voxels(Axis axis) const {
  std::int64_t voxels = 0;
  for (Component const& component : components_) {
    if (component.percolates[index_of(axis)]) voxels += component.voxels;
  }
  return voxels;
}

void PoreComponents::close_isolated(Geometry& geometry, Axis axis) const {
  auto const close_in = [&](std::size_t row) {
    auto const begin = geometry.pore.begin() + static_cast<std::ptrdiff_t>(row) * geometry.shape.x;
    for (std::size_t r = first_run_[row]; r < first_run_[row + 1]; ++r) {
      if (components_[static_cast<std::size_t>(component_of_run_[r])].percolates[index_of(axis)])
        continue;
      std::fill(begin + runs_[r].begin, begin + runs_[r].end, std::uint8_t{0});
    }
  };
  in_parallel_ranges(static_cast<std::int64_t>(first_run_.size()) - 1, 1024,
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t row = begin; row < end; ++row)
                         close_in(static_cast<std::size_t>(row));
                     });
}

}  // namespace tessera

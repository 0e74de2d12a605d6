// SPDX-License-Identifier: MIT
#include "geometry/connectivity.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/winding_forest.hpp"
#include "machine/thread_team.hpp"

namespace tessera {

PoreComponents::PoreComponents(Geometry const& geometry, Links links)
    : voxels_(static_cast<double>(volume(geometry.shape))) {
  find_runs(geometry);
  unite_runs(geometry, links);
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

void PoreComponents::unite_runs(Geometry const& geometry, Links links) {
  Int3 const shape = geometry.shape;
  WindingForest forest(runs_.size());

  // Joins the runs of two rows that touch, sideways by `reach` voxels; the second row lies `step`
  // turns further.
  auto const join_rows = [&](std::size_t row, std::size_t other, int reach, Winding step) {
    std::size_t a = first_run_[row];
    std::size_t b = first_run_[other];
    std::size_t const a_end = first_run_[row + 1];
    std::size_t const b_end = first_run_[other + 1];
    if (a == a_end || b == b_end) return;
    if (geometry.periodic[0] && reach == 1) {
      Winding const right{step[0] + 1, step[1], step[2]};
      Winding const left{step[0] - 1, step[1], step[2]};
      if (runs_[a_end - 1].end == shape.x && runs_[b].begin == 0) forest.unite(a_end - 1, b, right);
      if (runs_[b_end - 1].end == shape.x && runs_[a].begin == 0) forest.unite(a, b_end - 1, left);
    }
    while (a < a_end && b < b_end) {
      if (runs_[a].begin < runs_[b].end + reach && runs_[b].begin < runs_[a].end + reach)
        forest.unite(a, b, step);
      (runs_[a].end < runs_[b].end ? a : b)++;
    }
  };

  struct Neighbour {
    std::int64_t dy, dz;
    int reach;
  };
  std::vector<Neighbour> neighbours{{1, 0, 0}, {0, 1, 0}};
  if (links == Links::faces_and_edges) neighbours = {{1, 0, 1}, {0, 1, 1}, {1, 1, 0}, {-1, 1, 0}};
  if (links == Links::all) neighbours = {{1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {-1, 1, 1}};
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      auto const row = static_cast<std::size_t>(y + shape.y * z);
      if (geometry.periodic[0] && first_run_[row] < first_run_[row + 1]) {
        std::size_t const first = first_run_[row];
        std::size_t const last = first_run_[row + 1] - 1;
        if (runs_[first].begin == 0 && runs_[last].end == shape.x)
          forest.unite(last, first, {1, 0, 0});
      }
      for (auto const& [dy, dz, reach] : neighbours) {
        Int3 const to{0, y + dy, z + dz};
        Winding const step{0, to.y < 0 ? -1 : static_cast<std::int32_t>(to.y / shape.y),
                           static_cast<std::int32_t>(to.z / shape.z)};
        if ((step[1] != 0 && !geometry.periodic[1]) || (step[2] != 0 && !geometry.periodic[2]))
          continue;
        std::int64_t const other = to.y - step[1] * shape.y + shape.y * (to.z - step[2] * shape.z);
        join_rows(row, static_cast<std::size_t>(other), reach, step);
      }
    }
  }

  // Number the components and see which of them lead through.
  std::vector<std::int32_t> number(runs_.size(), -1);
  std::vector<std::array<std::array<bool, 2>, 3>> touches;
  component_of_run_.resize(runs_.size());
  for (std::size_t row = 0; row + 1 < first_run_.size(); ++row) {
    auto const y = static_cast<std::int64_t>(row) % shape.y;
    auto const z = static_cast<std::int64_t>(row) / shape.y;
    for (std::size_t r = first_run_[row]; r < first_run_[row + 1]; ++r) {
      std::size_t const root = forest.find(r);
      if (number[root] < 0) {
        number[root] = static_cast<std::int32_t>(components_.size());
        components_.push_back({0, forest.wraps(root)});
        touches.emplace_back();
      }
      auto const c = static_cast<std::size_t>(number[root]);
      component_of_run_[r] = number[root];
      components_[c].voxels += runs_[r].end - runs_[r].begin;
      touches[c][0][0] |= runs_[r].begin == 0;
      touches[c][0][1] |= runs_[r].end == shape.x;
      touches[c][1][0] |= y == 0;
      touches[c][1][1] |= y == shape.y - 1;
      touches[c][2][0] |= z == 0;
      touches[c][2][1] |= z == shape.z - 1;
    }
  }
  for (std::size_t c = 0; c < components_.size(); ++c) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (!geometry.periodic[a])
        components_[c].percolates[a] = touches[c][a][0] && touches[c][a][1];
    }
  }
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

// SPDX-License-Identifier: MIT
#include "geometry/connectivity.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "base/machine/thread_team.hpp"
#include "geometry/winding_forest.hpp"

namespace tessera {

PoreComponents::PoreComponents(Geometry const& geometry, Links links)
    : voxels_(static_cast<double>(geometry.sample_voxels())) {
  find_runs(geometry);
  WindingForest forest = unite_runs(geometry, links);
  number_roots(forest, geometry.shape);
  add_up(forest, geometry);
  keep_outer_runs(forest, geometry.shape);
}

namespace {

/// The first voxel from `at` on that is no solid, or `end`: eight solid ones at a time.
std::vector<std::uint8_t>::const_iterator next_pore(std::vector<std::uint8_t>::const_iterator at,
                                                    std::vector<std::uint8_t>::const_iterator end) {
  constexpr std::ptrdiff_t several = 8;
  for (; end - at >= several; at += several) {
    std::uint64_t voxels = 0;
    std::memcpy(&voxels, &*at, sizeof(voxels));
    if (voxels != 0) break;
  }
  return std::find_if(at, end, [](std::uint8_t voxel) { return voxel != 0; });
}

}  // namespace

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
      for (auto at = next_pore(begin, end); at != end;) {
        auto const stop = std::find(at, end, 0);
        runs.push_back(
            {static_cast<std::int32_t>(at - begin), static_cast<std::int32_t>(stop - begin)});
        at = next_pore(stop, end);
      }
      first_run_[static_cast<std::size_t>(row)] = runs.size() - before;
    }
  });
  std::exclusive_scan(first_run_.begin(), first_run_.end(), first_run_.begin(), std::size_t{0});
  runs_.resize(first_run_.back());
  in_parallel(shape.z, [&](std::int64_t z) {
    std::ranges::copy(of_layer[static_cast<std::size_t>(z)],
                      runs_.begin() + static_cast<std::ptrdiff_t>(
                                          first_run_[static_cast<std::size_t>(z * shape.y)]));
  });
}

/// Slabs of layers first, side by side, then what touches across their borders.
WindingForest PoreComponents::unite_runs(Geometry const& geometry, Links links) const {
  Int3 const shape = geometry.shape;
  WindingForest forest(runs_.size());
  std::vector<RowBeside> const beside = rows_beside(links);
  auto const is_last_of_slab = [&](std::int64_t z) {
    return (z + 1) % slab_layers == 0 || z + 1 == shape.z;
  };
  auto const unite_with = [&](std::int64_t y, std::int64_t z, RowBeside const& other_row) {
    auto const to_y = wrapped(y + other_row.dy, shape.y, geometry.periodic[1]);
    auto const to_z = wrapped(z + other_row.dz, shape.z, geometry.periodic[2]);
    if (!to_y || !to_z) return;
    auto const row = static_cast<std::size_t>(y + shape.y * z);
    auto const other = static_cast<std::size_t>(to_y->first + shape.y * to_z->first);
    for_each_touch(runs_of(row), runs_of(other), {shape.x, geometry.periodic[0]}, other_row.reach,
                   {0, to_y->second, to_z->second},
                   [&](std::size_t a, std::size_t b, Winding const& winding) {
                     forest.unite(first_run_[row] + a, first_run_[other] + b, winding);
                   });
  };
  in_parallel(slabs(shape), [&](std::int64_t slab) {
    std::int64_t const end = std::min((slab + 1) * slab_layers, shape.z);
    for (std::int64_t z = slab * slab_layers; z < end; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        auto const row = static_cast<std::size_t>(y + shape.y * z);
        std::span<Run const> const runs = runs_of(row);
        if (runs.empty()) continue;
        if (geometry.periodic[0] && runs.front().begin == 0 && runs.back().end == shape.x)
          forest.unite(first_run_[row + 1] - 1, first_run_[row], {1, 0, 0});
        for (RowBeside const& other : beside) {
          if (other.dz == 0 || !is_last_of_slab(z)) unite_with(y, z, other);
        }
      }
    }
  });
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; is_last_of_slab(z) && y < shape.y; ++y) {
      for (RowBeside const& other : beside) {
        if (other.dz != 0) unite_with(y, z, other);
      }
    }
  }
  return forest;
}

/// Numbers the components in the order of their first runs, which are the roots; other runs have no
/// number yet.
void PoreComponents::number_roots(WindingForest const& forest, Int3 shape) {
  auto const for_each_root = [&](std::int64_t slab, auto const& visit) {
    std::int64_t const end = std::min((slab + 1) * slab_layers, shape.z);
    std::size_t const end_run = first_run_[static_cast<std::size_t>(end * shape.y)];
    std::size_t r = first_run_[static_cast<std::size_t>(slab * slab_layers * shape.y)];
    for (; r < end_run; ++r) {
      if (forest.root_of(r) == r) visit(r);
    }
  };
  std::vector<std::int32_t> first_number(static_cast<std::size_t>(slabs(shape)) + 1);
  component_of_run_.resize(runs_.size());
  in_parallel(slabs(shape), [&](std::int64_t slab) {
    std::int32_t roots = 0;
    for_each_root(slab, [&](std::size_t r) { component_of_run_[r] = roots++; });
    first_number[static_cast<std::size_t>(slab)] = roots;
  });
  std::exclusive_scan(first_number.begin(), first_number.end(), first_number.begin(), 0);
  components_.resize(static_cast<std::size_t>(first_number.back()));
  in_parallel(slabs(shape), [&](std::int64_t slab) {
    for_each_root(slab, [&](std::size_t r) {
      component_of_run_[r] += first_number[static_cast<std::size_t>(slab)];
      components_[static_cast<std::size_t>(component_of_run_[r])].wraps = forest.wraps(r);
    });
  });
}

/// Numbers the other runs, and sees what each component has and whether it leads through.
void PoreComponents::add_up(WindingForest const& forest, Geometry const& geometry) {
  Int3 const shape = geometry.shape;
  std::mutex mutex;
  in_parallel(slabs(shape), [&](std::int64_t slab) {
    std::map<std::int32_t, Component> here;
    std::int64_t const end = std::min((slab + 1) * slab_layers, shape.z);
    for (std::int64_t row = slab * slab_layers * shape.y; row < end * shape.y; ++row)
      add_row(forest, shape, row, here);
    std::lock_guard const lock(mutex);
    for (auto const& [number, part] : here) {
      Component& whole = components_[static_cast<std::size_t>(number)];
      whole.voxels += part.voxels;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t side = 0; side < 2; ++side)
          whole.touches[axis][side] |= part.touches[axis][side];
      }
    }
  });
  for (Component& component : components_)
    component.percolates = leads_through(component, geometry.periodic);
}

void PoreComponents::keep_outer_runs(WindingForest& forest, Int3 shape) {
  if (shape.z == 0) return;  // one of many ranks
  for (std::size_t side = 0; side < outer_.size(); ++side) {
    std::int64_t const z = side == 0 ? 0 : shape.z - 1;
    for (std::int64_t y = 0; y < shape.y; ++y) {
      auto const row = static_cast<std::size_t>(y + shape.y * z);
      for (std::size_t r = first_run_[row]; r < first_run_[row + 1]; ++r) {
        forest.find(r);
        outer_[side].push_back({y, runs_[r], component_of_run_[r], forest.winding(r)});
      }
    }
  }
}

/// Numbers the runs of a row as their roots are numbered, and adds them to the components that a
/// slab has.
void PoreComponents::add_row(WindingForest const& forest, Int3 shape, std::int64_t row,
                             std::map<std::int32_t, Component>& here) {
  std::int64_t const y = row % shape.y;
  std::int64_t const z = row / shape.y;
  Component* component = nullptr;
  std::int32_t number = -1;
  for (std::size_t r = first_run_[static_cast<std::size_t>(row)];
       r < first_run_[static_cast<std::size_t>(row) + 1]; ++r) {
    std::size_t const root = forest.root_of(r);
    if (root != r) component_of_run_[r] = component_of_run_[root];
    if (component == nullptr || component_of_run_[r] != number) {
      number = component_of_run_[r];
      component = &here[number];
    }
    component->voxels += runs_[r].end - runs_[r].begin;
    component->touches[0][0] |= runs_[r].begin == 0;
    component->touches[0][1] |= runs_[r].end == shape.x;
    component->touches[1][0] |= y == 0;
    component->touches[1][1] |= y == shape.y - 1;
    component->touches[2][0] |= z == 0;
    component->touches[2][1] |= z == shape.z - 1;
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

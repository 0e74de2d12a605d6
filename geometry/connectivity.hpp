// SPDX-License-Identifier: MIT
// Connected components of the pores, along the links of the velocity set, and which of them
// percolate.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "geometry/geometry.hpp"
#include "geometry/links.hpp"  // IWYU pragma: export
#include "geometry/runs.hpp"

namespace tessera {

/// The connected components of the pores of a geometry.
class PoreComponents {
 public:
  struct Component {
    std::int64_t voxels = 0;
    std::array<bool, 3> wraps{};                   ///< reaches its own periodic image
    std::array<std::array<bool, 2>, 3> touches{};  ///< the lower and the upper face of the box
    std::array<bool, 3> percolates{};
  };
  /// A run of the first or the last layer along z.
  struct OuterRun {
    std::int64_t y = 0;
    Run run{};
    std::int32_t component = 0;
    Winding winding{};  ///< from the root of its component
  };

  PoreComponents(Geometry const& geometry, Links links);

  std::int64_t count() const { return static_cast<std::int64_t>(components_.size()); }
  /// Pore voxels in components that percolate along an axis: where the axis wraps, components that
  /// reach their own periodic image along it; else components that touch both faces of the box.
  std::int64_t percolating_voxels(Axis axis) const;
  /// percolating_voxels() over the voxels of the sample.
  double percolating_porosity(Axis axis) const {
    return static_cast<double>(percolating_voxels(axis)) / voxels_;
  }
  /// Makes the pores solid that do not percolate along an axis, in the geometry of these
  /// components.
  void close_isolated(Geometry& geometry, Axis axis) const;

  /// Runs of the first and the last layer, row by row, for joining components with the layers
  /// beyond.
  std::vector<OuterRun> const& first_layer() const { return outer_[0]; }
  std::vector<OuterRun> const& last_layer() const { return outer_[1]; }
  Component const& component(std::int32_t c) const {
    return components_[static_cast<std::size_t>(c)];
  }
  void set_percolates(std::int32_t c, std::array<bool, 3> percolates) {
    components_[static_cast<std::size_t>(c)].percolates = percolates;
  }

 private:
  void find_runs(Geometry const& geometry);
  WindingForest unite_runs(Geometry const& geometry, Links links) const;
  void number_roots(WindingForest const& forest, Int3 shape);
  void add_up(WindingForest const& forest, Geometry const& geometry);
  void keep_outer_runs(WindingForest& forest, Int3 shape);
  void add_row(WindingForest const& forest, Int3 shape, std::int64_t row,
               std::map<std::int32_t, Component>& here);

  /// Layers that one thread unites and numbers at a time.
  static constexpr std::int64_t slab_layers = 16;
  static std::int64_t slabs(Int3 shape) { return (shape.z + slab_layers - 1) / slab_layers; }

  std::span<Run const> runs_of(std::size_t row) const {
    return std::span(runs_).subspan(first_run_[row], first_run_[row + 1] - first_run_[row]);
  }

  double voxels_;  ///< of the sample
  std::vector<Run> runs_;
  std::vector<std::size_t> first_run_;  ///< of each x-row (y + ny z), one more at the end
  std::vector<std::int32_t> component_of_run_;
  std::vector<Component> components_;
  std::array<std::vector<OuterRun>, 2> outer_;  ///< of the first and the last layer
};

/// Whether a component percolates along each axis: see PoreComponents::percolating_voxels().
inline std::array<bool, 3> leads_through(PoreComponents::Component const& component,
                                         std::array<bool, 3> const& periodic) {
  std::array<bool, 3> through = component.wraps;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!periodic[a]) through[a] = component.touches[a][0] && component.touches[a][1];
  }
  return through;
}

}  // namespace tessera

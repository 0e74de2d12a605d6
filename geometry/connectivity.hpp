// SPDX-License-Identifier: MIT
// Which pores hang together along the links that the velocity set really has, and which of them
// lead through.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/geometry.hpp"
#include "lattice/lattice_kind.hpp"

namespace tessera {

/// Neighbours of a voxel; many tools count faces only.
enum class Links : std::uint8_t { faces, faces_and_edges, all };

/// What a velocity set streams through. D3Q15 streams through faces and corners: of the pores,
/// those that only a corner leads to are left out.
constexpr Links links_of(LatticeKind lattice) {
  bool edges = false;
  bool corners = false;
  Velocities const velocities = velocities_of(lattice);
  for (auto const& c : velocities.c) {
    int const along = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];  // so many axes
    edges = edges || along == 2;
    corners = corners || along == 3;
  }
  if (!edges) return Links::faces;
  return corners ? Links::all : Links::faces_and_edges;
}

/// The connected components of the pores of a geometry.
class PoreComponents {
 public:
  PoreComponents(Geometry const& geometry, Links links);

  std::int64_t count() const { return static_cast<std::int64_t>(components_.size()); }
  /// Pore voxels in components that percolate along an axis: where the axis wraps, components that
  /// reach their own periodic image along it; else components that touch both faces of the box.
  std::int64_t percolating_voxels(Axis axis) const;
  /// Those over all voxels.
  double percolating_porosity(Axis axis) const {
    return static_cast<double>(percolating_voxels(axis)) / voxels_;
  }
  /// Makes solid the pores that do not percolate along an axis, in the geometry that these are of.
  void close_isolated(Geometry& geometry, Axis axis) const;

 private:
  struct Run {
    std::int32_t begin;  ///< x of the first pore voxel
    std::int32_t end;    ///< x behind the last
  };
  struct Component {
    std::int64_t voxels = 0;
    std::array<bool, 3> percolates{};
  };

  void find_runs(Geometry const& geometry);
  void unite_runs(Geometry const& geometry, Links links);

  double voxels_;  ///< of the box
  std::vector<Run> runs_;
  std::vector<std::size_t> first_run_;  ///< of each x-row (y + ny z), one more at the end
  std::vector<std::int32_t> component_of_run_;
  std::vector<Component> components_;
};

}  // namespace tessera

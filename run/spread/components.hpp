// SPDX-License-Identifier: MIT
// Connected components of the pores of a distributed geometry, and which of them percolate. Each
// rank finds the components of its own layers; components that reach the layers of other ranks are
// united with theirs.
#pragma once

#include <array>
#include <cstdint>

#include "geometry/connectivity.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

class SpreadComponents {
 public:
  /// All ranks: finds the connected components.
  SpreadComponents(SpreadGeometry const& geometry, Links links);

  /// Figures of the whole geometry, as of PoreComponents.
  std::int64_t percolating_voxels(Axis axis) const { return percolating_[index_of(axis)]; }
  double percolating_porosity(Axis axis) const {
    return static_cast<double>(percolating_voxels(axis)) / static_cast<double>(voxels_);
  }
  void close_isolated(SpreadGeometry& geometry, Axis axis) const {
    own_.close_isolated(geometry.own, axis);
  }

 private:
  void unite_with_others(SpreadGeometry const& geometry, Links links);

  PoreComponents own_;
  std::int64_t voxels_;
  std::array<std::int64_t, 3> percolating_{};
};

}  // namespace tessera

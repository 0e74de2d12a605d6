// SPDX-License-Identifier: MIT
// The size of the pores, from which a run chooses its viscosity and its force.
#pragma once

#include <cstdint>

#include "geometry/geometry.hpp"

namespace tessera {

/// Pores and walls of some voxels: how many are pore, and how many of their faces are wall.
struct PoreSurface {
  std::int64_t pores = 0;
  std::int64_t faces = 0;

  /// Hydraulic diameter 4 V / S in voxels: pore volume over wall area, the area counted in voxel
  /// faces. Infinite where there is no wall.
  double hydraulic_diameter() const;
};

/// Counts the voxels from `lower` up to, not including, `upper`: layers of fluid beside a sample
/// are not its pores. The outside of a box that does not wrap is wall.
PoreSurface pore_surface(Geometry const& geometry, Int3 lower, Int3 upper);
inline double hydraulic_diameter(Geometry const& geometry, Int3 lower, Int3 upper) {
  return pore_surface(geometry, lower, upper).hydraulic_diameter();
}

}  // namespace tessera

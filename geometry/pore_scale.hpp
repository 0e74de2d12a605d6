// SPDX-License-Identifier: MIT
// The size of the pores, from which a run chooses its viscosity and its force.
#pragma once

#include "geometry/geometry.hpp"

namespace tessera {

/// Hydraulic diameter 4 V / S in voxels: pore volume over wall area, the area counted in voxel
/// faces. The outside of a box that does not wrap is wall. Of the voxels from `lower` up to, not
/// including, `upper`: layers of fluid beside a sample are not its pores. Infinite where there is
/// no wall.
double hydraulic_diameter(Geometry const& geometry, Int3 lower, Int3 upper);

}  // namespace tessera

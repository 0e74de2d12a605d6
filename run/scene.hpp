// SPDX-License-Identifier: MIT
// What scripts look at: a flow, as far as it does not change while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "insitu/walls.hpp"
#include "lattice/box.hpp"
#include "run/field_units.hpp"

namespace tessera {

struct Scene {
  Int3 shape;  ///< of the image, voxels
  Int3 lower;  ///< its first voxel, in voxels of the flow: there may be more beside the image
  FieldUnits units;
  bool iterates = false;  ///< its steps are a solver's iterations: time counts them
  WallRule walls;
  /// Of the velocities of walls, after a step; none: all 1.
  std::function<std::vector<double>(std::int64_t step)> wall_factors;
};

}  // namespace tessera

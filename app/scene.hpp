// SPDX-License-Identifier: MIT
// What scripts look at: a flow, as far as it does not change while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/field_units.hpp"
#include "app/flow_run.hpp"
#include "insitu/walls.hpp"

namespace tessera {

struct Scene {
  Int3 shape;  ///< of the image, voxels
  Int3 lower;  ///< its first voxel, in voxels of the flow: there may be more beside the image
  FieldUnits units;
  WallRule walls;
  /// Of the velocities of walls, after a step; none: all 1.
  std::function<std::vector<double>(std::int64_t step)> wall_factors;
};

/// Of a flow through an image along an axis.
Scene scene_of(FlowPreparation const& preparation, FlowSetup setup, Axis axis, Int3 image_shape,
               FieldUnits const& units);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What scripts look at: what of a flow does not change while it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "insitu/walls.hpp"
#include "run/fields/field_units.hpp"

namespace tessera {

class RunningFlow;

/// A flow on the voxels of an image; it is a NodeFlow.
struct VoxelScene {
  Int3 shape;  ///< of the image, voxels
  Int3 lower;  ///< its first voxel, in voxels of the flow's box, which may be larger than the image
  FieldUnits units;
  bool iterates = false;  ///< its steps are a solver's iterations, and time is their number
  WallRule walls;
  /// Factors of the walls' velocities after a step; none: all 1.
  std::function<std::vector<double>(std::int64_t step)> wall_factors;
};

/// A flow on other cells.
struct CellScene {
  /// The time of the state after the last submitted step.
  std::function<double(RunningFlow& flow)> time;
  /// Waits for the snapshot in a set, which is free then, and copies it to a frame; returns the
  /// bytes that were copied. Called by another thread.
  std::function<std::int64_t(RunningFlow& flow, std::size_t set, Frame& frame)> fill;
};

using Scene = std::variant<VoxelScene, CellScene>;

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What scripts look at: a flow, as far as it does not change while it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/box.hpp"
#include "insitu/walls.hpp"
#include "run/fields/field_units.hpp"

namespace tessera {

class RunningFlow;

/// A flow that is on no voxels.
struct CellScene {
  /// The time of the state after the last submitted step.
  std::function<double(RunningFlow& flow)> time;
  /// Waits for the snapshot in a set, which is free then, and hands it to a frame; returns the
  /// bytes that were copied. Called by another thread.
  std::function<std::int64_t(RunningFlow& flow, std::size_t set, Frame& frame)> fill;
};

struct Scene {
  Int3 shape;  ///< of the image, voxels
  Int3 lower;  ///< its first voxel, in voxels of the flow: there may be more beside the image
  FieldUnits units;
  bool iterates = false;  ///< its steps are a solver's iterations: time counts them
  WallRule walls;
  /// Of the velocities of walls, after a step; none: all 1.
  std::function<std::vector<double>(std::int64_t step)> wall_factors;
  std::optional<CellScene> cells;  ///< then nothing of the above counts
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The frames that scripts see of a scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "insitu/frame.hpp"
#include "insitu/walls.hpp"
#include "run/fields/frame_parts.hpp"
#include "run/node_flow.hpp"
#include "run/scene.hpp"

namespace tessera {

class SceneFrames {
 public:
  /// Before each flow, while no frame is in use.
  void begin(Scene scene);
  /// The scene, if it is of voxels.
  VoxelScene const* voxels() const { return std::get_if<VoxelScene>(&scene_); }

  /// A frame of the last submitted step, without fields.
  Frame frame_of(RunningFlow& flow) const;
  /// Adds the permeability in SI, where the scene has units.
  void add_units(MonitorRow& row) const;

  // Called by the analysis thread:
  void forget();
  /// Waits for the snapshot in a set, and copies it to the frame; returns the bytes copied.
  std::int64_t fill(RunningFlow& flow, std::size_t set, Frame& frame);
  /// Adds the walls between the voxels of a frame that has been filled.
  void add_walls(Frame& frame);

 private:
  std::int64_t fill_voxels(NodeFlow& flow, std::size_t set, Frame& frame);
  double time_of(RunningFlow& flow) const;

  Scene scene_;
  std::unique_ptr<FrameParts> parts_;
  std::unique_ptr<Walls> walls_;
};

}  // namespace tessera

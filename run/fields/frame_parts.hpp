// SPDX-License-Identifier: MIT
// The fields of frames: a single process has all voxels of the image; of several each has its
// layers, with a layer of its neighbours on either side.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "codelets/lattice/node_state.hpp"
#include "insitu/frame_fields.hpp"
#include "insitu/walls.hpp"
#include "run/fields/field_units.hpp"
#include "run/scene.hpp"

namespace tessera {

class FrameParts {
 public:
  /// All ranks, of which none may have more than the image has layers.
  explicit FrameParts(VoxelScene const& scene);

  /// A callback: voxel of the box, tile among the tiles of all ranks, state.
  using Visit = std::function<void(Int3, std::int32_t, NodeState const&)>;
  /// All ranks, each on its thread of scripts: takes what each visits of its own nodes.
  void take(std::function<void(Visit const&)> const& visit_own_nodes);

  /// The fields taken last, with their least and largest values.
  ImageBlock block() const { return fields_.block(extremes_); }
  LayersBeyond const& beyond() const { return beyond_; }

 private:
  /// Stores a state at its place in the image, or in the layer before or behind it, if the box
  /// continues there.
  void put(Int3 at, std::int32_t tile, NodeState const& state);

  Int3 shape_;
  Int3 lower_;
  FieldUnits units_;
  bool wraps_;  ///< along z
  FrameFields fields_;
  LayersBeyond beyond_;
  FieldExtremes extremes_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The fields of frames: of one process all voxels of the image, of several the layers of each, with
// a layer of its neighbours' on either side.
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
  explicit FrameParts(Scene const& scene);

  /// visit(voxel of the box, tile among those of all ranks, state)
  using Visit = std::function<void(Int3, std::int32_t, NodeState const&)>;
  /// All ranks, each on the thread that looks: takes what each visits of its own nodes.
  void take(std::function<void(Visit const&)> const& visit_own_nodes);

  /// With the least and the most of what has been taken last.
  ImageBlock block() const { return fields_.block(extremes_); }
  LayersBeyond const& beyond() const { return beyond_; }

 private:
  /// By its place in the image, or one layer before or behind it, if it goes on there.
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

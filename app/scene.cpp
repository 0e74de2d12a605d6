// SPDX-License-Identifier: MIT
#include "app/scene.hpp"

#include <optional>

namespace tessera {

Scene scene_of(FlowPreparation const& preparation, FlowSetup setup, Axis axis, Int3 image_shape,
               FieldUnits const& units) {
  bool const wraps = setup == FlowSetup::periodic;
  // Along the flow there is more fluid beyond the image; the other sides are sealed.
  auto const wall = [axis, n = image_shape[axis]](Int3 voxel, Int3 c) -> std::optional<WallFace> {
    std::int64_t const next = voxel[axis] + c[axis];
    if (next < 0 || next >= n) return std::nullopt;
    return WallFace{};
  };
  auto const everywhere = [](Int3, Int3) { return std::optional(WallFace{}); };
  Scene scene{.shape = image_shape,
              .lower = preparation.box.sample_lower,
              .units = units,
              .walls = {{wraps, wraps, wraps}, wall},
              .wall_factors = {}};
  if (wraps) scene.walls.at = everywhere;
  return scene;
}

}  // namespace tessera

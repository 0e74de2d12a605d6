// SPDX-License-Identifier: MIT
#include "geometry/flow_setup.hpp"

#include <algorithm>
#include <cstddef>

#include "base/machine/thread_team.hpp"

namespace tessera {

std::string_view name_of(FlowSetup setup) {
  switch (setup) {
    case FlowSetup::sealed:
      return "sealed";
    case FlowSetup::periodic:
      return "periodic";
    case FlowSetup::mirrored:
      break;
  }
  return "mirrored";
}

std::optional<std::int64_t> FlowBoxShape::in_image(std::int64_t along) const {
  switch (setup) {
    case FlowSetup::periodic:
      break;
    case FlowSetup::mirrored:
      return std::min(along, shape[axis] - 1 - along);
    case FlowSetup::sealed:
      if (along < sample_lower[axis] || along >= sample_upper[axis]) return std::nullopt;
      return along - sample_lower[axis];
  }
  return along;
}

FlowBoxShape flow_box_shape(Int3 image, Axis axis, FlowSetup setup, std::int64_t buffer_layers) {
  FlowBoxShape box{.axis = axis, .setup = setup, .shape = image, .sample_upper = image};
  box.periodic[index_of(axis)] = true;
  // A picture: walls one voxel apart in front and behind would be what its flow is that of.
  if (image.z == 1) box.periodic[index_of(Axis::z)] = true;
  switch (setup) {
    case FlowSetup::periodic:
      box.periodic = {true, true, true};
      break;
    case FlowSetup::mirrored:
      box.shape[axis] *= 2;
      box.sample_upper = box.shape;
      break;
    case FlowSetup::sealed:
      box.shape[axis] += 2 * buffer_layers;
      box.sample_lower[axis] = buffer_layers;
      box.sample_upper[axis] += buffer_layers;
      box.sample_share = static_cast<double>(image[axis]) / static_cast<double>(box.shape[axis]);
      break;
  }
  return box;
}

Geometry pores_in_box(Geometry const& image, FlowBoxShape const& box) {
  Int3 shape = image.shape;
  shape[box.axis] = box.shape[box.axis];
  Geometry pores{.shape = shape, .pore = {}, .periodic = box.periodic};
  if (shape == image.shape) {
    pores.pore = image.pore;
    return pores;
  }
  pores.pore.resize(static_cast<std::size_t>(volume(shape)));
  in_parallel(shape.z, [&](std::int64_t z) {
    auto i = static_cast<std::size_t>(z * shape.x * shape.y);
    for (Int3 to{0, 0, z}; to.y < shape.y; ++to.y) {
      for (to.x = 0; to.x < shape.x; ++to.x) {
        Int3 from = to;
        auto const along = box.in_image(to[box.axis]);
        from[box.axis] = along.value_or(0);
        pores.pore[i++] = !along || image.is_pore(from) ? 1 : 0;
      }
    }
  });
  return pores;
}

FlowBox flow_box(Geometry const& image, Axis axis, FlowSetup setup, std::int64_t buffer_layers) {
  FlowBox box{flow_box_shape(image.shape, axis, setup, buffer_layers), {}};
  box.geometry = pores_in_box(image, box);
  return box;
}

}  // namespace tessera

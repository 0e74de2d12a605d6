// SPDX-License-Identifier: MIT
#include "geometry/flow_setup.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

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
  Geometry pores{.shape = shape,
                 .pore = {},
                 .periodic = box.periodic,
                 .outside = box.copies() * image.outside,
                 .of_grey = image.of_grey};
  if (shape == image.shape) {
    pores.pore = image.pore;
    return pores;
  }
  pores.pore.resize(static_cast<std::size_t>(volume(shape)));
  std::vector<std::optional<std::int64_t>> along(static_cast<std::size_t>(shape[box.axis]));
  for (std::size_t i = 0; i < along.size(); ++i)
    along[i] = box.in_image(static_cast<std::int64_t>(i));
  in_parallel(shape.z, [&](std::int64_t z) {
    for (Int3 to{0, 0, z}; to.y < shape.y; ++to.y) {
      std::uint8_t* const row = pores.pore.data() + linear_index(shape, to);
      Int3 from = to;
      if (box.axis != Axis::x) {
        auto const beside = along[static_cast<std::size_t>(to[box.axis])];
        from[box.axis] = beside.value_or(0);
        std::uint8_t const* const source = image.pore.data() + linear_index(image.shape, from);
        for (std::int64_t x = 0; x < shape.x; ++x) row[x] = beside ? source[x] : std::uint8_t{1};
        continue;
      }
      std::uint8_t const* const source = image.pore.data() + linear_index(image.shape, from);
      for (std::int64_t x = 0; x < shape.x; ++x) {
        auto const at = along[static_cast<std::size_t>(x)];
        row[x] = at ? source[*at] : std::uint8_t{1};
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

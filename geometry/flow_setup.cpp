// SPDX-License-Identifier: MIT
#include "geometry/flow_setup.hpp"

#include "machine/thread_team.hpp"

namespace tessera {
namespace {

/// A box whose voxel at `to` is the image's voxel at source(to); where there is none it is pore.
template <class Source>
Geometry fill_box(Geometry const& image, Int3 shape, Source&& source) {
  Geometry box{.shape = shape,
               .pore = std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape)))};
  in_parallel(shape.z, [&](std::int64_t z) {
    auto i = static_cast<std::size_t>(z * shape.x * shape.y);
    for (Int3 to{0, 0, z}; to.y < shape.y; ++to.y) {
      for (to.x = 0; to.x < shape.x; ++to.x) {
        std::optional<Int3> const from = source(to);
        box.pore[i++] = !from || image.is_pore(*from) ? 1 : 0;
      }
    }
  });
  return box;
}

}  // namespace

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

FlowBox flow_box(Geometry const& image, Axis axis, FlowSetup setup, std::int64_t buffer_layers) {
  FlowBox box;
  std::int64_t const length = image.shape[axis];
  Int3 shape = image.shape;
  switch (setup) {
    case FlowSetup::periodic:
      box.geometry = image;
      box.geometry.periodic = {true, true, true};
      box.sample_upper = shape;
      return box;
    case FlowSetup::mirrored:
      shape[axis] = 2 * length;
      box.geometry = fill_box(image, shape, [&](Int3 to) {
        if (to[axis] >= length) to[axis] = 2 * length - 1 - to[axis];
        return std::optional(to);
      });
      box.sample_upper = shape;
      break;
    case FlowSetup::sealed:
      shape[axis] = length + 2 * buffer_layers;
      box.geometry = fill_box(image, shape, [&](Int3 to) -> std::optional<Int3> {
        to[axis] -= buffer_layers;
        if (to[axis] < 0 || to[axis] >= length) return std::nullopt;
        return to;
      });
      box.sample_lower[axis] = buffer_layers;
      box.sample_upper = image.shape;
      box.sample_upper[axis] += buffer_layers;
      box.sample_share = static_cast<double>(length) / static_cast<double>(shape[axis]);
      break;
  }
  box.geometry.periodic[index_of(axis)] = true;
  return box;
}

}  // namespace tessera

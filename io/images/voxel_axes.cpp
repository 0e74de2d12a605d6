// SPDX-License-Identifier: MIT
#include "io/images/voxel_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace tessera {
namespace {

/// The image's axis for each axis of the file.
std::array<Axis, 3> parse_axes(std::string_view axes) {
  std::string sorted(axes);
  std::ranges::sort(sorted);
  if (sorted != "xyz") {
    throw BadInput(fmt::format(
        "axes {}: expected x, y and z in some order, the fastest of the file first", axes));
  }
  std::array<Axis, 3> parsed{};
  std::ranges::transform(axes, parsed.begin(),
                         [](char name) { return static_cast<Axis>(name - 'x'); });
  return parsed;
}

/// Copies a box of voxels; stride[a] is the step in `from` along axis a, `first` the position of
/// the box's corner.
template <typename T>
std::vector<T> gather(std::vector<T> const& from, std::int64_t first, Int3 stride, Int3 shape) {
  std::vector<T> to;
  to.reserve(static_cast<std::size_t>(volume(shape)));
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      std::int64_t at = first + z * stride.z + y * stride.y;
      for (std::int64_t x = 0; x < shape.x; ++x, at += stride.x)
        to.push_back(from[static_cast<std::size_t>(at)]);
    }
  }
  return to;
}

void replace_by_box(Image& image, std::int64_t first, Int3 stride, Int3 shape) {
  std::visit([&](auto& values) { values = gather(values, first, stride, shape); }, image.voxels);
}

/// Keeps a box of the voxels in memory.
void keep_box(Image& image, Int3 lower, Int3 shape) {
  Int3 const stride{1, image.shape.x, image.shape.x * image.shape.y};
  replace_by_box(image, static_cast<std::int64_t>(linear_index(image.shape, lower)), stride, shape);
}

}  // namespace

Int3 shape_in_file(Int3 shape, std::string_view axes) {
  auto const [fast, middle, slow] = parse_axes(axes);
  return {shape[fast], shape[middle], shape[slow]};
}

void reorder_axes(Image& image, std::string_view axes) {
  auto const [fast, middle, slow] = parse_axes(axes);
  if (axes == "xyz") return;
  if (image.edges) {
    auto& metres = image.edges->metres;
    std::array const in_file = metres;
    metres[index_of(fast)] = in_file[0];
    metres[index_of(middle)] = in_file[1];
    metres[index_of(slow)] = in_file[2];
  }
  Int3 stride;
  stride[fast] = 1;
  stride[middle] = image.shape.x;
  stride[slow] = image.shape.x * image.shape.y;
  Int3 shape;
  shape[fast] = image.shape.x;
  shape[middle] = image.shape.y;
  shape[slow] = image.shape.z;
  replace_by_box(image, 0, stride, shape);
  image.shape = shape;
}

void crop_image(Image& image, Crop const& crop) {
  for (Axis const axis : all_axes) {
    if (crop.lower[axis] < 0 || crop.upper[axis] <= crop.lower[axis] ||
        crop.upper[axis] > image.shape[axis]) {
      throw BadInput(
          fmt::format("{}: the crop {} to {} along {} is not a part of its {} voxels there",
                      image.path.string(), crop.lower[axis], crop.upper[axis], name_of(axis),
                      image.shape[axis]));
    }
  }
  Int3 const shape = crop.upper - crop.lower;
  if (shape == image.shape) return;
  LayerRange const held = image.layers.value_or(LayerRange{0, image.shape.z});
  LayerRange const kept{std::max(held.lower, crop.lower.z), std::min(held.upper, crop.upper.z)};
  keep_box(image, {crop.lower.x, crop.lower.y, kept.lower - held.lower},
           {shape.x, shape.y, std::max<std::int64_t>(kept.count(), 0)});
  image.shape = shape;
  if (image.layers) image.layers = {kept.lower - crop.lower.z, kept.upper - crop.lower.z};
}

void keep_layers(Image& image, LayerRange layers) {
  keep_box(image, {0, 0, layers.lower}, {image.shape.x, image.shape.y, layers.count()});
  image.layers = layers;
}

}  // namespace tessera

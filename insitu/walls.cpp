// SPDX-License-Identifier: MIT
#include "insitu/walls.hpp"

#include <optional>

namespace tessera {
namespace {

/// Points on the corners of voxels, numbered as they are first asked for.
class Corners {
 public:
  Corners(Int3 shape, double spacing, std::vector<float>& points)
      : shape_(shape + Int3{1, 1, 1}),
        spacing_(spacing),
        numbers_(static_cast<std::size_t>(volume(shape_)), -1),
        points_(points) {}

  std::int64_t at(Int3 corner) {
    std::int64_t& number = numbers_[linear_index(shape_, corner)];
    if (number < 0) {
      number = static_cast<std::int64_t>(points_.size() / 3);
      for (Axis a : all_axes)
        points_.push_back(static_cast<float>(spacing_ * static_cast<double>(corner[a])));
    }
    return number;
  }

 private:
  Int3 shape_;
  double spacing_;
  std::vector<std::int64_t> numbers_;
  std::vector<float>& points_;
};

/// The voxel next to `at`, or nothing outside.
std::optional<Int3> next_to(Int3 at, Axis axis, int direction, Int3 shape, Side side) {
  at[axis] += direction;
  if (at[axis] >= 0 && at[axis] < shape[axis]) return at;
  if (side != Side::wraps) return std::nullopt;
  at[axis] = direction > 0 ? 0 : shape[axis] - 1;
  return at;
}

/// The corners of the face of a voxel that looks along an axis.
std::array<Int3, 4> face_of(Int3 voxel, Axis axis, int direction) {
  Axis const u = all_axes[(index_of(axis) + 1) % 3];
  Axis const v = all_axes[(index_of(axis) + 2) % 3];
  if (direction > 0) ++voxel[axis];
  std::array<Int3, 4> corners{voxel, voxel, voxel, voxel};
  ++corners[1][u];
  ++corners[2][u];
  ++corners[2][v];
  ++corners[3][v];
  return corners;
}

}  // namespace

Walls::Walls(ImageBlock const& image, std::array<Side, 3> const& sides, double spacing)
    : spacing_(spacing) {
  Corners corners(image.shape, spacing, surface_.points);
  for (Int3 at; at.z < image.shape.z; ++at.z) {
    for (at.y = 0; at.y < image.shape.y; ++at.y) {
      for (at.x = 0; at.x < image.shape.x; ++at.x) {
        std::size_t const voxel = linear_index(image.shape, at);
        if (image.solid[voxel] != 0) continue;
        for (Axis axis : all_axes) {
          Side const side = sides[index_of(axis)];
          for (int direction : {-1, 1}) {
            auto const next = next_to(at, axis, direction, image.shape, side);
            bool const wall =
                next ? image.solid[linear_index(image.shape, *next)] != 0 : side == Side::wall;
            if (!wall) continue;
            for (Int3 corner : face_of(at, axis, direction))
              surface_.quads.push_back(corners.at(corner));
            for (Axis a : all_axes)
              surface_.normal.push_back(static_cast<std::int8_t>(a == axis ? -direction : 0));
            fluid_.push_back(static_cast<std::int64_t>(voxel));
          }
        }
      }
    }
  }
  surface_.wall_shear_stress.resize(3 * fluid_.size());
}

WallSurface const& Walls::update(ImageBlock const& image, double dynamic_viscosity) {
  double const factor = dynamic_viscosity / (spacing_ / 2);
  for (std::size_t q = 0; q < fluid_.size(); ++q) {
    auto const voxel = static_cast<std::size_t>(fluid_[q]);
    for (std::size_t a = 0; a < 3; ++a) {
      bool const across = surface_.normal[3 * q + a] != 0;
      surface_.wall_shear_stress[3 * q + a] =
          across ? 0.0F
                 : static_cast<float>(factor * static_cast<double>(image.velocity[3 * voxel + a]));
    }
  }
  return surface_;
}

}  // namespace tessera

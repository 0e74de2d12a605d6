// SPDX-License-Identifier: MIT
#include "insitu/walls.hpp"

namespace tessera {
namespace {

/// Points on the corners of voxels, numbered as they are first asked for.
class Corners {
 public:
  Corners(ImageBlock const& image, double spacing, std::vector<float>& points)
      : lower_(image.lower),
        shape_(image.shape + Int3{1, 1, 1}),
        spacing_(spacing),
        numbers_(static_cast<std::size_t>(volume(shape_)), -1),
        points_(points) {}

  std::int64_t at(Int3 corner) {
    std::int64_t& number = numbers_[linear_index(shape_, corner)];
    if (number < 0) {
      number = static_cast<std::int64_t>(points_.size() / 3);
      for (Axis a : all_axes)
        points_.push_back(
            static_cast<float>(spacing_ * static_cast<double>(lower_[a] + corner[a])));
    }
    return number;
  }

 private:
  Int3 lower_;
  Int3 shape_;
  double spacing_;
  std::vector<std::int64_t> numbers_;
  std::vector<float>& points_;
};

/// Whether there is fluid next to a voxel.
bool fluid_beside(ImageBlock const& image, Int3 at, Axis axis, int direction, bool wraps,
                  LayersBeyond const& beyond) {
  std::int64_t const n = image.shape[axis];
  at[axis] += direction;
  auto const& layer = beyond[direction < 0 ? 0 : 1];
  if (axis == Axis::z && !layer.empty() && (at.z < 0 || at.z >= n))
    return layer[static_cast<std::size_t>(at.x + image.shape.x * at.y)] != 0;
  if (wraps) at[axis] = (at[axis] + n) % n;
  return at[axis] >= 0 && at[axis] < n && image.solid[linear_index(image.shape, at)] == 0;
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

Walls::Walls(ImageBlock const& image, WallRule const& rule, double spacing,
             LayersBeyond const& beyond)
    : spacing_(spacing) {
  Corners corners(image, spacing, surface_.points);
  for (Int3 at; at.z < image.shape.z; ++at.z) {
    for (at.y = 0; at.y < image.shape.y; ++at.y) {
      for (at.x = 0; at.x < image.shape.x; ++at.x) {
        std::size_t const voxel = linear_index(image.shape, at);
        if (image.solid[voxel] != 0 || (image.ghost[voxel] & duplicate_cell) != 0) continue;
        for (Axis axis : all_axes) {
          for (int direction : {-1, 1}) {
            if (fluid_beside(image, at, axis, direction, rule.wraps[index_of(axis)], beyond))
              continue;
            Int3 c;
            c[axis] = direction;
            auto const wall = rule.at(image.lower + at, c);
            if (!wall) continue;
            if (wall->velocity != std::array<double, 3>{})
              moving_.push_back({fluid_.size(), *wall});
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

WallSurface const& Walls::update(ImageBlock const& image, double dynamic_viscosity,
                                 std::span<double const> factors) {
  auto moving = moving_.begin();
  for (std::size_t q = 0; q < fluid_.size(); ++q) {
    std::array<double, 3> wall{};
    if (moving != moving_.end() && moving->quad == q) {
      double const by = factors.empty() ? 1 : factors[moving->face.factor];
      for (std::size_t a = 0; a < 3; ++a) wall[a] = by * moving->face.velocity[a];
      ++moving;
    }
    auto const voxel = static_cast<std::size_t>(fluid_[q]);
    for (std::size_t a = 0; a < 3; ++a) {
      bool const across = surface_.normal[3 * q + a] != 0;
      double const slip = static_cast<double>(image.velocity[3 * voxel + a]) - wall[a];
      surface_.wall_shear_stress[3 * q + a] =
          across ? 0.0F : static_cast<float>(dynamic_viscosity / (spacing_ / 2) * slip);
    }
  }
  return surface_;
}

}  // namespace tessera

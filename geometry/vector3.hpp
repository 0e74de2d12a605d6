// SPDX-License-Identifier: MIT
// Points and directions of space, in voxels. The centre of voxel (i, j, k) is (i, j, k) + 1/2.
#pragma once

#include <cmath>

#include "base/box.hpp"

namespace tessera {

struct Vector3 {
  double x = 0;
  double y = 0;
  double z = 0;

  constexpr bool operator==(Vector3 const&) const = default;
  constexpr double operator[](Axis axis) const {
    return axis == Axis::x ? x : axis == Axis::y ? y : z;
  }
  constexpr double& operator[](Axis axis) { return axis == Axis::x ? x : axis == Axis::y ? y : z; }
};

constexpr Vector3 operator+(Vector3 a, Vector3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vector3 operator-(Vector3 a, Vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vector3 operator*(double s, Vector3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr double dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(Vector3 a) { return std::sqrt(dot(a, a)); }
inline bool is_finite(Vector3 a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

constexpr Vector3 voxel_centre(Int3 at) {
  return {static_cast<double>(at.x) + 0.5, static_cast<double>(at.y) + 0.5,
          static_cast<double>(at.z) + 0.5};
}

}  // namespace tessera

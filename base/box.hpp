// SPDX-License-Identifier: MIT
// Integer boxes of voxels; only this header depends on x being the fastest axis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera {

/// The three axes of an image; x is the fastest in memory, z the slowest.
enum class Axis : std::uint8_t { x = 0, y = 1, z = 2 };
inline constexpr std::array<Axis, 3> all_axes{Axis::x, Axis::y, Axis::z};
constexpr std::size_t index_of(Axis axis) { return static_cast<std::size_t>(axis); }
constexpr char name_of(Axis axis) { return "xyz"[index_of(axis)]; }

/// A triple of voxel counts or coordinates.
struct Int3 {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;

  constexpr bool operator==(Int3 const&) const = default;
  constexpr std::int64_t operator[](Axis axis) const {
    return axis == Axis::x ? x : axis == Axis::y ? y : z;
  }
  constexpr std::int64_t& operator[](Axis axis) {
    return axis == Axis::x ? x : axis == Axis::y ? y : z;
  }
};

constexpr Int3 operator+(Int3 a, Int3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Int3 operator-(Int3 a, Int3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// Number of voxels in a box of this shape.
constexpr std::int64_t volume(Int3 shape) { return shape.x * shape.y * shape.z; }

/// Position of voxel (x, y, z) in an array of this shape, x fastest, then y, then z.
constexpr std::size_t linear_index(Int3 shape, Int3 at) {
  return static_cast<std::size_t>(at.x + shape.x * (at.y + shape.y * at.z));
}

/// The voxel at a position: the inverse of linear_index().
constexpr Int3 voxel_at(Int3 shape, std::int64_t index) {
  return {index % shape.x, index / shape.x % shape.y, index / (shape.x * shape.y)};
}

}  // namespace tessera

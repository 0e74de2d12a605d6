// SPDX-License-Identifier: MIT
// The cubes of voxels into which large fields are cut, in files and among processes; each is
// compressed on its own.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/box.hpp"

namespace tessera {

/// Cubes of 64 voxels an edge, less at the upper borders of a box; numbered as their chunks stand
/// in a file, x fastest. Voxels are numbered in the order of bricks, and in each x fastest.
class Bricks {
 public:
  static constexpr std::int64_t edge = 64;

  explicit Bricks(Int3 shape) : shape_(shape) {
    for (Axis const a : all_axes) along_[a] = (shape[a] + edge - 1) / edge;
  }

  std::int64_t count() const { return volume(along_); }
  Int3 lower(std::int64_t brick) const {
    return {brick % along_.x * edge, brick / along_.x % along_.y * edge,
            brick / along_.x / along_.y * edge};
  }
  Int3 extents(std::int64_t brick) const {
    Int3 const from = lower(brick);
    Int3 extents;
    for (Axis const a : all_axes) extents[a] = std::min(edge, shape_[a] - from[a]);
    return extents;
  }
  std::int64_t containing(Int3 voxel) const {
    return voxel.x / edge + along_.x * (voxel.y / edge + along_.y * (voxel.z / edge));
  }
  /// Number of voxels in all bricks before this one; `brick` may be count().
  std::int64_t voxels_before(std::int64_t brick) const {
    if (brick == count()) return volume(shape_);
    Int3 const from = lower(brick);
    Int3 const size = extents(brick);
    return shape_.x * shape_.y * from.z + size.z * (shape_.x * from.y + size.y * from.x);
  }
  std::int64_t place_of(Int3 voxel) const {
    std::int64_t const brick = containing(voxel);
    return voxels_before(brick) +
           static_cast<std::int64_t>(linear_index(extents(brick), voxel - lower(brick)));
  }

 private:
  Int3 shape_;
  Int3 along_;  ///< bricks
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The fields of a frame, dense over the voxels of the image, in a layout that VTK uses without a
// copy.
//
// The velocity is interleaved. Components in arrays of their own would be no copy either, but VTK
// as Debian builds it reads such arrays through virtual functions, several times slower.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "insitu/frame.hpp"

namespace tessera {

/// Least and largest values of a frame, found while it is filled, as a later search would read all
/// memory once more. Use it as a local variable, so that it stays in registers.
class FieldExtremes {
 public:
  void note(std::array<float, 3> const& velocity, float pressure, float density) {
    float square = 0;
    for (float component : velocity) square += component * component;
    std::array const values{velocity[0], velocity[1], velocity[2], square, pressure, density};
    for (std::size_t v = 0; v < values.size(); ++v) {
      least_[v] = std::min(least_[v], values[v]);
      most_[v] = std::max(most_[v], values[v]);
    }
    ++nodes_;
  }

  /// Ranges in a block of so many voxels; voxels that were not noted are solid, with all values 0.
  FieldRanges ranges(std::size_t voxels) const {
    auto const range = [&](std::size_t v) -> ValueRange {
      if (nodes_ == 0) return {};
      float const solid = nodes_ < voxels ? 0 : least_[v];
      return {static_cast<double>(std::min(least_[v], solid)),
              static_cast<double>(std::max(most_[v], solid))};
    };
    ValueRange const squares = range(3);
    return {{range(0), range(1), range(2), {std::sqrt(squares[0]), std::sqrt(squares[1])}},
            {range(4)},
            {range(5)}};
  }

 private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  /// Velocity, its square, pressure, density.
  std::array<float, 6> least_{infinity, infinity, infinity, infinity, infinity, infinity};
  std::array<float, 6> most_{-infinity, -infinity, -infinity, -infinity, -infinity, -infinity};
  std::size_t nodes_ = 0;
};

/// The fields are allocated once for a run; each frame overwrites the fluid nodes of the last one.
/// 26 B a voxel.
///
/// Each of several ranks has its own part of the image and the layer of voxels around it that other
/// ranks own. This layer must be set, too: without it, filters that read neighbours, as from cells
/// to points, would leave a seam at the border.
class FrameFields {
 public:
  /// The whole image.
  explicit FrameFields(Int3 image) : FrameFields(image, {}, image) {}
  /// The part of the image from `lower` up to, not including, `upper`, with its ghost layer.
  FrameFields(Int3 image, Int3 lower, Int3 upper) {
    for (Axis a : all_axes) {
      lower_[a] = std::max<std::int64_t>(lower[a] - 1, 0);
      shape_[a] = std::min(upper[a] + 1, image[a]) - lower_[a];
    }
    auto const voxels = static_cast<std::size_t>(volume(shape_));
    velocity_.resize(3 * voxels);
    pressure_.resize(voxels);
    density_.resize(voxels);
    tile_.resize(voxels, -1);
    solid_.resize(voxels, 1);
    ghost_.resize(voxels, hidden_cell | duplicate_cell);
    for (Int3 at = lower; at.z < upper.z; ++at.z) {
      for (at.y = lower.y; at.y < upper.y; ++at.y) {
        for (at.x = lower.x; at.x < upper.x; ++at.x)
          ghost_[linear_index(shape_, at - lower_)] = hidden_cell;
      }
    }
  }

  /// Sets the state of a fluid voxel, by its place in the image.
  void set(Int3 at, std::array<float, 3> const& velocity, float pressure, float density,
           std::int32_t tile) {
    std::size_t const i = linear_index(shape_, at - lower_);
    fetch(std::min(i + rows_ahead * static_cast<std::size_t>(shape_.x), density_.size() - 1));
    for (std::size_t a = 0; a < 3; ++a) velocity_[3 * i + a] = velocity[a];
    pressure_[i] = pressure;
    density_[i] = density;
    if (tile_[i] == tile) return;  // as in most frames: memory is what this takes time for
    tile_[i] = tile;
    solid_[i] = 0;
    ghost_[i] &= static_cast<std::uint8_t>(~hidden_cell);
  }

  ImageBlock block(std::optional<FieldExtremes> const& extremes = {}) const {
    ImageBlock block{lower_,           shape_,          velocity_.data(),
                     pressure_.data(), density_.data(), tile_.data(),
                     solid_.data(),    ghost_.data(),   {}};
    if (extremes) block.ranges = extremes->ranges(density_.size());
    return block;
  }

 private:
  /// Rows that are prefetched ahead, as nodes come in blocks, row by row. This number took least
  /// time.
  static constexpr std::size_t rows_ahead = 2;

  /// Prefetches the fields of a voxel: the rows are too short for the processor to foresee the next
  /// one.
  void fetch(std::size_t i) const {
    __builtin_prefetch(velocity_.data() + 3 * i, 1);
    __builtin_prefetch(pressure_.data() + i, 1);
    __builtin_prefetch(density_.data() + i, 1);
    __builtin_prefetch(tile_.data() + i);
  }

  Int3 lower_;  ///< with the ghost layer, as all that follows
  Int3 shape_;
  std::vector<float> velocity_;
  std::vector<float> pressure_;
  std::vector<float> density_;
  std::vector<std::int32_t> tile_;
  std::vector<std::uint8_t> solid_;
  std::vector<std::uint8_t> ghost_;
};

}  // namespace tessera

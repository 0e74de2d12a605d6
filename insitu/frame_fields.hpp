// SPDX-License-Identifier: MIT
// The fields of a frame, dense over the voxels of the image, as VTK takes them without a copy.
//
// The velocity is interleaved. Components in arrays of their own would be no copy either, but VTK
// as Debian builds it reads such arrays through virtual functions, several times slower.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "insitu/frame.hpp"

namespace tessera {

/// Made once for a run; frames overwrite the fluid nodes of the one before. 26 B a voxel.
///
/// One of several ranks holds what it owns of the image and the layer of voxels around it that
/// others own. It must be told those too: without them, filters that look at neighbours, as those
/// from cells to points do, would leave a seam at the border.
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

  /// The state of a fluid voxel, by its place in the image.
  void set(Int3 at, std::array<float, 3> const& velocity, float pressure, float density,
           std::int32_t tile) {
    std::size_t const i = linear_index(shape_, at - lower_);
    for (std::size_t a = 0; a < 3; ++a) velocity_[3 * i + a] = velocity[a];
    pressure_[i] = pressure;
    density_[i] = density;
    tile_[i] = tile;
    solid_[i] = 0;
    ghost_[i] &= static_cast<std::uint8_t>(~hidden_cell);
  }

  ImageBlock block() const {
    return {lower_,          shape_,       velocity_.data(), pressure_.data(),
            density_.data(), tile_.data(), solid_.data(),    ghost_.data()};
  }

 private:
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

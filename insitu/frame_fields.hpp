// SPDX-License-Identifier: MIT
// The fields of a frame, dense over the voxels of the image, as VTK takes them without a copy.
//
// The velocity is interleaved. Components in arrays of their own would be no copy either, but VTK
// as Debian builds it reads such arrays through virtual functions, several times slower.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "insitu/frame.hpp"

namespace tessera {

/// Made once for a run; frames overwrite the fluid nodes of the one before. 26 B a voxel.
class FrameFields {
 public:
  explicit FrameFields(Int3 shape)
      : shape_(shape),
        velocity_(3 * voxels()),
        pressure_(voxels()),
        density_(voxels()),
        tile_(voxels(), -1),
        solid_(voxels(), 1),
        ghost_(voxels(), hidden_cell) {}

  /// The state of a fluid voxel inside the image.
  void set(Int3 at, std::array<float, 3> const& velocity, float pressure, float density,
           std::int32_t tile) {
    std::size_t const i = linear_index(shape_, at);
    for (std::size_t a = 0; a < 3; ++a) velocity_[3 * i + a] = velocity[a];
    pressure_[i] = pressure;
    density_[i] = density;
    tile_[i] = tile;
    solid_[i] = 0;
    ghost_[i] = 0;
  }

  ImageBlock block() const {
    return {{},           shape_,        velocity_.data(), pressure_.data(), density_.data(),
            tile_.data(), solid_.data(), ghost_.data()};
  }

 private:
  std::size_t voxels() const { return static_cast<std::size_t>(volume(shape_)); }

  Int3 shape_;
  std::vector<float> velocity_;
  std::vector<float> pressure_;
  std::vector<float> density_;
  std::vector<std::int32_t> tile_;
  std::vector<std::uint8_t> solid_;
  std::vector<std::uint8_t> ghost_;
};

}  // namespace tessera

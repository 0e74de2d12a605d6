// SPDX-License-Identifier: MIT
// The surface between fluid and solid, and the shear stress on it.
//
// Bounce-back puts the wall half way between a fluid voxel and a solid one, which is the face
// between them. The stress there is one-sided, from the fluid voxel alone:
//
//     tau_w = mu u_t / (h/2),
//
// with the dynamic viscosity mu, the part u_t of the voxel's velocity along the wall, and the voxel
// edge h. First order in h: in a pore of few voxels it is off by some per cent, more at edges.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "insitu/frame.hpp"

namespace tessera {

/// What lies beyond the first and last voxel along an axis.
enum class Side : std::uint8_t { open, wall, wraps };

class Walls {
 public:
  /// Finds the faces; the block is the whole image. `spacing`: edge of a voxel, m.
  Walls(ImageBlock const& image, std::array<Side, 3> const& sides, double spacing);
  /// The surface with the stress that belongs to the velocities. Viscosity: dynamic, Pa s.
  WallSurface const& update(ImageBlock const& image, double dynamic_viscosity);

 private:
  double spacing_;
  WallSurface surface_;
  std::vector<std::int64_t> fluid_;  ///< the fluid voxel of each quadrangle
};

}  // namespace tessera

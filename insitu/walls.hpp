// SPDX-License-Identifier: MIT
// The surface between fluid and solid, and the shear stress on it.
//
// Bounce-back puts the wall half way between a fluid voxel and a solid one, which is the face
// between them. The stress there is one-sided, from the fluid voxel alone:
//
//     tau_w = mu u_t / (h/2),
//
// with the dynamic viscosity mu, the part u_t of the voxel's velocity along the wall, and the voxel
// edge h; where the wall moves, u_t is the velocity relative to it. First order in h: in a pore of
// few voxels it is off by some per cent, more at edges.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "insitu/frame.hpp"

namespace tessera {

/// A wall beside a fluid voxel.
struct WallFace {
  std::array<double, 3> velocity{};  ///< m/s
  std::size_t factor = 0;  ///< of the velocity in time: place in the `factors` of update()
};

/// The layers beyond the first and the last one of a block along z, if the block is a part of the
/// image; they may be at the other end of an image that wraps. One value a voxel of a layer, 1
/// fluid; empty where nothing is known.
using LayersBeyond = std::array<std::vector<std::uint8_t>, 2>;

/// Where walls stand.
struct WallRule {
  std::array<bool, 3> wraps{};  ///< axes along which the image continues with its other end
  /// The wall between a fluid voxel and a neighbour along c (one component -1 or 1) that is not
  /// fluid: a solid voxel, or the outside of the image. None: there is no wall.
  std::function<std::optional<WallFace>(Int3 voxel, Int3 c)> at;
};

class Walls {
 public:
  /// Finds the faces of the fluid voxels of a block, without those that another rank owns. The
  /// block is the whole image along the axes that wrap, except for z if `beyond` has layers.
  /// `spacing`: edge of a voxel, m.
  Walls(ImageBlock const& image, WallRule const& rule, double spacing,
        LayersBeyond const& beyond = {});
  /// The surface with the stress of the current velocities. Viscosity: dynamic, Pa s. `factors`: of
  /// the velocities of walls, at this time; none: all 1.
  WallSurface const& update(ImageBlock const& image, double dynamic_viscosity,
                            std::span<double const> factors = {});

 private:
  struct MovingFace {
    std::size_t quad = 0;
    WallFace face;
  };
  double spacing_;
  WallSurface surface_;
  std::vector<std::int64_t> fluid_;  ///< the fluid voxel of each quadrangle
  std::vector<MovingFace> moving_;   ///< few, in ascending order
};

}  // namespace tessera

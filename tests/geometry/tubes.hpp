// SPDX-License-Identifier: MIT
// Straight tubes that lie between the voxels: circular_duct() has its middle in the middle of them.
#pragma once

#include <cmath>

#include "geometry/generate.hpp"

namespace tessera::test {

/// Along x, of `length` voxels in a square box of `width`; (y, z) is how far its middle lies from
/// that of the box. A voxel whose middle is in the tube is pore. Wraps along no axis.
inline Geometry straight_tube(std::int64_t length, std::int64_t width, double radius, double y,
                              double z) {
  Geometry tube = uniform_box({length, width, width}, 0);
  double const middle = 0.5 * static_cast<double>(width - 1);
  for (Int3 at; at.z < width; ++at.z) {
    for (at.y = 0; at.y < width; ++at.y) {
      double const distance = std::hypot(static_cast<double>(at.y) - middle - y,
                                         static_cast<double>(at.z) - middle - z);
      for (at.x = 0; at.x < length; ++at.x)
        tube.pore[linear_index(tube.shape, at)] = distance < radius ? 1 : 0;
    }
  }
  return tube;
}

}  // namespace tessera::test

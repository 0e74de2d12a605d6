// SPDX-License-Identifier: MIT
#include "geometry/geometry.hpp"

#include <algorithm>

namespace tessera {

std::int64_t Geometry::pore_voxels() const {
  return std::ranges::count_if(pore, [](std::uint8_t voxel) { return voxel != 0; });
}

}  // namespace tessera

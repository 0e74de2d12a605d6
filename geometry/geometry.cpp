// SPDX-License-Identifier: MIT
#include "geometry/geometry.hpp"

#include <algorithm>
#include <atomic>

#include "base/machine/thread_team.hpp"

namespace tessera {

std::int64_t Geometry::pore_voxels() const {
  std::atomic<std::int64_t> voxels = 0;
  in_parallel_ranges(static_cast<std::int64_t>(pore.size()), 1 << 20,
                     [&](std::int64_t begin, std::int64_t end) {
                       voxels += std::count_if(pore.begin() + begin, pore.begin() + end,
                                               [](std::uint8_t voxel) { return voxel != 0; });
                     });
  return voxels;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "geometry/pore_scale.hpp"

#include <atomic>
#include <limits>

#include "base/machine/thread_team.hpp"

namespace tessera {

PoreSurface pore_surface(Geometry const& geometry, Int3 lower, Int3 upper) {
  Int3 const shape = geometry.shape;
  auto const wall_towards = [&](Int3 at, Axis axis, int step) {
    at[axis] += step;
    if (at[axis] < 0 || at[axis] >= shape[axis]) {
      if (!geometry.periodic[index_of(axis)]) return true;
      at[axis] = at[axis] < 0 ? shape[axis] - 1 : 0;
    }
    return !geometry.is_pore(at);
  };
  std::atomic<std::int64_t> pores = 0;
  std::atomic<std::int64_t> faces = 0;
  in_parallel(upper.z - lower.z, [&](std::int64_t layer) {
    std::int64_t pores_here = 0;
    std::int64_t faces_here = 0;
    for (Int3 at{0, lower.y, lower.z + layer}; at.y < upper.y; ++at.y) {
      for (at.x = lower.x; at.x < upper.x; ++at.x) {
        if (!geometry.is_pore(at)) continue;
        ++pores_here;
        for (Axis axis : all_axes) {
          for (int const step : {-1, 1}) faces_here += wall_towards(at, axis, step) ? 1 : 0;
        }
      }
    }
    pores += pores_here;
    faces += faces_here;
  });
  return {pores, faces};
}

double PoreSurface::hydraulic_diameter() const {
  if (faces == 0) return std::numeric_limits<double>::infinity();
  return 4.0 * static_cast<double>(pores) / static_cast<double>(faces);
}

}  // namespace tessera

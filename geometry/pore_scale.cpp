// SPDX-License-Identifier: MIT
#include "geometry/pore_scale.hpp"

#include <limits>

namespace tessera {

double hydraulic_diameter(Geometry const& geometry) {
  Int3 const shape = geometry.shape;
  std::int64_t pores = 0;
  std::int64_t faces = 0;
  auto const wall_towards = [&](Int3 at, Axis axis, int step) {
    at[axis] += step;
    if (at[axis] < 0 || at[axis] >= shape[axis]) {
      if (!geometry.periodic[index_of(axis)]) return true;
      at[axis] = at[axis] < 0 ? shape[axis] - 1 : 0;
    }
    return !geometry.is_pore(at);
  };
  for (Int3 at; at.z < shape.z; ++at.z) {
    for (at.y = 0; at.y < shape.y; ++at.y) {
      for (at.x = 0; at.x < shape.x; ++at.x) {
        if (!geometry.is_pore(at)) continue;
        ++pores;
        for (Axis axis : all_axes) {
          for (int const step : {-1, 1}) faces += wall_towards(at, axis, step) ? 1 : 0;
        }
      }
    }
  }
  if (faces == 0) return std::numeric_limits<double>::infinity();
  return 4.0 * static_cast<double>(pores) / static_cast<double>(faces);
}

}  // namespace tessera

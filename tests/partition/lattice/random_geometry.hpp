// SPDX-License-Identifier: MIT
// Geometries without any order, and what is counted in them voxel by voxel.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "geometry/geometry.hpp"

namespace tessera::test {

/// Voxels that are pore with the given probability.
inline Geometry random_geometry(Int3 shape, double porosity, std::uint32_t seed,
                                std::array<bool, 3> periodic = {true, true, true}) {
  Geometry geometry{shape, std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape))),
                    periodic};
  std::mt19937 random(seed);
  for (std::uint8_t& voxel : geometry.pore)
    voxel = static_cast<double>(random()) < porosity * 4294967296.0 ? 1 : 0;
  return geometry;
}

/// Where a link from a voxel leads: wrapped along periodic axes, nowhere outside the others.
inline std::optional<Int3> follow(Geometry const& geometry, Int3 at, Int3 velocity) {
  Int3 to = at + velocity;
  for (Axis a : all_axes) {
    if (to[a] >= 0 && to[a] < geometry.shape[a]) continue;
    if (!geometry.periodic[index_of(a)]) return std::nullopt;
    to[a] = (to[a] + geometry.shape[a]) % geometry.shape[a];
  }
  return to;
}

/// Calls visit(voxel) for each voxel.
template <class Visit>
void for_each_voxel(Int3 shape, Visit&& visit) {
  for (Int3 at; at.z < shape.z; ++at.z) {
    for (at.y = 0; at.y < shape.y; ++at.y) {
      for (at.x = 0; at.x < shape.x; ++at.x) visit(at);
    }
  }
}

}  // namespace tessera::test

// SPDX-License-Identifier: MIT
#include "geometry/pore_scale.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tessera {
namespace {

/// Pore voxels of the part, and their faces towards walls, voxel by voxel.
PoreSurface counted(Geometry const& geometry, Int3 lower, Int3 upper) {
  PoreSurface counted{};
  for (std::int64_t i = 0; i < volume(upper - lower); ++i) {
    Int3 const size = upper - lower;
    Int3 const at = lower + Int3{i % size.x, i / size.x % size.y, i / (size.x * size.y)};
    if (!geometry.is_pore(at)) continue;
    ++counted.pores;
    for (Axis const axis : all_axes) {
      for (int const step : {-1, 1}) {
        Int3 next = at;
        next[axis] += step;
        bool const inside = next[axis] >= 0 && next[axis] < geometry.shape[axis];
        if (geometry.periodic[index_of(axis)])
          next[axis] = (next[axis] + geometry.shape[axis]) % geometry.shape[axis];
        bool const is_wall =
            (!inside && !geometry.periodic[index_of(axis)]) || !geometry.is_pore(next);
        counted.faces += is_wall ? 1 : 0;
      }
    }
  }
  return counted;
}

TEST(PoreSurface, IsThatOfEachVoxel) {
  std::mt19937 random(7);
  for (int wrapped = 0; wrapped < 8; ++wrapped) {
    Geometry geometry{{7, 5, 6}, std::vector<std::uint8_t>(210), {}};
    for (std::uint8_t& voxel : geometry.pore) voxel = random() % 3 == 0 ? 0 : 1;
    geometry.periodic = {(wrapped & 1) != 0, (wrapped & 2) != 0, (wrapped & 4) != 0};
    for (auto const& [lower, upper] :
         {std::pair{Int3{0, 0, 0}, geometry.shape}, std::pair{Int3{2, 0, 1}, Int3{6, 5, 5}},
          std::pair{Int3{6, 4, 5}, Int3{7, 5, 6}}}) {
      PoreSurface const expected = counted(geometry, lower, upper);
      PoreSurface const found = pore_surface(geometry, lower, upper);
      EXPECT_EQ(found.pores, expected.pores) << wrapped;
      EXPECT_EQ(found.faces, expected.faces) << wrapped;
    }
  }
}

}  // namespace
}  // namespace tessera

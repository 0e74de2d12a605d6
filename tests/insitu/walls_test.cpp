// SPDX-License-Identifier: MIT
#include "insitu/walls.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "insitu/frame_fields.hpp"

namespace tessera {
namespace {

constexpr double spacing = 0.5;

/// Where there is no fluid there is a wall; or only along x upwards.
WallRule rule(bool everywhere, bool wraps = false) {
  return {{wraps, wraps, wraps}, [everywhere](Int3, Int3 c) {
            return everywhere || c.x > 0 ? std::optional(WallFace{}) : std::nullopt;
          }};
}

WallRule const everywhere = rule(true);

/// One fluid voxel in the middle of 3 x 3 x 3.
FrameFields pocket() {
  FrameFields fields({3, 3, 3});
  fields.set({1, 1, 1}, {1, 2, 4}, 0, 0, 0);
  return fields;
}

TEST(Walls, APocketHasTheSixFacesOfItsVoxel) {
  FrameFields const fields = pocket();
  Walls walls(fields.block(), everywhere, spacing);
  WallSurface const& surface = walls.update(fields.block(), 1);
  EXPECT_EQ(surface.size(), 6U);
  EXPECT_EQ(surface.points.size(), 3U * 8U);
  EXPECT_EQ(*std::ranges::min_element(surface.points), 0.5F);
  EXPECT_EQ(*std::ranges::max_element(surface.points), 1.0F);
}

TEST(Walls, TheStressIsAlongTheWallAndOneSided) {
  FrameFields const fields = pocket();
  Walls walls(fields.block(), everywhere, spacing);
  WallSurface const& surface = walls.update(fields.block(), 3);
  for (std::size_t q = 0; q < surface.size(); ++q) {
    for (std::size_t a = 0; a < 3; ++a) {
      float const velocity = fields.block().velocity[3 * linear_index({3, 3, 3}, {1, 1, 1}) + a];
      // mu u / (h/2) = 3 u / 0.25
      float const expected = surface.normal[3 * q + a] != 0 ? 0.0F : 12 * velocity;
      EXPECT_EQ(surface.wall_shear_stress[3 * q + a], expected) << q << ' ' << a;
    }
  }
}

TEST(Walls, NormalsPointIntoTheFluid) {
  FrameFields const fields = pocket();
  Walls walls(fields.block(), everywhere, spacing);
  WallSurface const& surface = walls.update(fields.block(), 1);
  double const middle = 1.5 * spacing;
  for (std::size_t q = 0; q < surface.size(); ++q) {
    auto const corner = static_cast<std::size_t>(surface.quads[4 * q]);
    double outwards = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      double const there = static_cast<double>(surface.points[3 * corner + a]) - middle;
      outwards += there * surface.normal[3 * q + a];
    }
    EXPECT_LT(outwards, 0);
  }
}

TEST(Walls, TheRuleSaysWhereTheyStand) {
  FrameFields fields({2, 1, 1});  // fluid, solid
  fields.set({0, 0, 0}, {1, 0, 0}, 0, 0, 0);
  auto const faces = [&](WallRule const& beyond) {
    Walls walls(fields.block(), beyond, spacing);
    return walls.update(fields.block(), 1).size();
  };
  EXPECT_EQ(faces(rule(false)), 1U);
  EXPECT_EQ(faces(rule(true)), 6U);
  EXPECT_EQ(faces(rule(true, true)), 2U);
}

TEST(Walls, TheStressIsThatAgainstAWallThatMoves) {
  FrameFields const fields = pocket();
  // The one below moves, twice as fast as it says.
  WallRule lid = everywhere;
  lid.at = [](Int3, Int3 c) { return WallFace{{c.z < 0 ? 0.25 : 0.0, 0, 0}, 1}; };
  Walls walls(fields.block(), lid, spacing);
  double const factors[] = {1, 2};
  WallSurface const& surface = walls.update(fields.block(), 1, factors);
  for (std::size_t q = 0; q < surface.size(); ++q) {
    if (surface.normal[3 * q] != 0) continue;
    bool const moves = surface.normal[3 * q + 2] > 0;
    // mu (u - w) / (h/2)
    EXPECT_EQ(surface.wall_shear_stress[3 * q], moves ? 4 * 0.5F : 4 * 1.0F) << q;
  }
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "insitu/walls.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "insitu/frame_fields.hpp"

namespace tessera {
namespace {

constexpr double spacing = 0.5;
constexpr std::array<Side, 3> open{Side::open, Side::open, Side::open};

/// One fluid voxel in the middle of 3 x 3 x 3.
FrameFields pocket() {
  FrameFields fields({3, 3, 3});
  fields.set({1, 1, 1}, {1, 2, 4}, 0, 0, 0);
  return fields;
}

TEST(Walls, APocketHasTheSixFacesOfItsVoxel) {
  FrameFields const fields = pocket();
  Walls walls(fields.block(), open, spacing);
  WallSurface const& surface = walls.update(fields.block(), 1);
  EXPECT_EQ(surface.size(), 6U);
  EXPECT_EQ(surface.points.size(), 3U * 8U);
  EXPECT_EQ(*std::ranges::min_element(surface.points), 0.5F);
  EXPECT_EQ(*std::ranges::max_element(surface.points), 1.0F);
}

TEST(Walls, TheStressIsAlongTheWallAndOneSided) {
  FrameFields const fields = pocket();
  Walls walls(fields.block(), open, spacing);
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
  Walls walls(fields.block(), open, spacing);
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

TEST(Walls, WhatLiesBeyondTheImageDecidesAtItsFaces) {
  FrameFields fields({2, 1, 1});  // fluid, solid
  fields.set({0, 0, 0}, {1, 0, 0}, 0, 0, 0);
  auto const faces = [&](Side side) {
    Walls walls(fields.block(), {side, side, side}, spacing);
    return walls.update(fields.block(), 1).size();
  };
  EXPECT_EQ(faces(Side::open), 1U);
  EXPECT_EQ(faces(Side::wall), 6U);
  EXPECT_EQ(faces(Side::wraps), 2U);
}

}  // namespace
}  // namespace tessera

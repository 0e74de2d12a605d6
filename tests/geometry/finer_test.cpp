// SPDX-License-Identifier: MIT
// Images on finer grids: the staircase taken literally, and a smooth surface through it.
#include "geometry/finer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/generate.hpp"
#include "geometry/pore_scale.hpp"

namespace tessera {
namespace {

Geometry rock() {
  Geometry image = overlapping_spheres({20, 24, 28}, 5, 0.4, 3).geometry;
  image.periodic = {true, true, true};
  return image;
}

/// Pore where x is below a plane.
Geometry half_filled() {
  Geometry image{.shape = {12, 8, 8}, .pore = std::vector<std::uint8_t>(768)};
  for (std::size_t i = 0; i < image.pore.size(); ++i) image.pore[i] = i % 12 < 5 ? 1 : 0;
  return image;
}

TEST(Repeated, HasEachVoxelManyTimes) {
  Geometry const image = rock();
  for (int const factor : {2, 3}) {
    Geometry const fine = repeated(image, factor);
    ASSERT_EQ(fine.shape.x, factor * image.shape.x);
    EXPECT_EQ(fine.periodic, image.periodic);
    for (Int3 at; at.z < fine.shape.z; ++at.z) {
      for (at.y = 0; at.y < fine.shape.y; ++at.y) {
        for (at.x = 0; at.x < fine.shape.x; ++at.x)
          ASSERT_EQ(fine.is_pore(at), image.is_pore({at.x / factor, at.y / factor, at.z / factor}));
      }
    }
    EXPECT_EQ(fine.porosity(), image.porosity());
    // In voxels of its own, pores are that many times as wide.
    EXPECT_NEAR(hydraulic_diameter(fine, {}, fine.shape),
                factor * hydraulic_diameter(image, {}, image.shape), 1e-9);
  }
}

TEST(Smoothed, KeepsThePorosity) {
  Geometry const image = rock();
  for (int const factor : {1, 2, 3})
    EXPECT_NEAR(smoothed(image, factor).porosity(), image.porosity(), 1e-4) << factor;
}

TEST(Smoothed, LeavesAPlaneWhereItIs) {
  Geometry const image = half_filled();
  Geometry const fine = smoothed(image, 2);
  EXPECT_EQ(fine.pore, repeated(image, 2).pore);
}

TEST(Smoothed, TakesTheCornersOffTheStaircase) {
  Geometry const image = rock();
  EXPECT_GT(hydraulic_diameter(smoothed(image, 2), {}, {40, 48, 56}),
            1.2 * hydraulic_diameter(repeated(image, 2), {}, {40, 48, 56}));
}

TEST(Smoothed, IsThatOfTheMovedImageMovedAsFar) {
  Geometry const image = rock();
  Geometry moved = image;
  Int3 const n = image.shape;
  for (Int3 at; at.z < n.z; ++at.z) {
    for (at.y = 0; at.y < n.y; ++at.y) {
      for (at.x = 0; at.x < n.x; ++at.x)
        moved.pore[linear_index(n, {(at.x + 7) % n.x, at.y, at.z})] =
            image.is_pore(at) ? std::uint8_t{1} : std::uint8_t{0};
    }
  }
  Geometry const one = smoothed(image, 2);
  Geometry const other = smoothed(moved, 2);
  for (Int3 at; at.z < one.shape.z; ++at.z) {
    for (at.y = 0; at.y < one.shape.y; ++at.y) {
      for (at.x = 0; at.x < one.shape.x; ++at.x)
        ASSERT_EQ(one.is_pore(at), other.is_pore({(at.x + 14) % one.shape.x, at.y, at.z}));
    }
  }
}

TEST(HydraulicDiameter, KnowsNoLayersOfFluidBesideTheSample) {
  // A square tube of 4 x 4 voxels between two layers of fluid over the whole cross-section.
  Geometry box{.shape = {10, 6, 6},
               .pore = std::vector<std::uint8_t>(360),
               .periodic = {true, false, false}};
  for (Int3 at; at.z < 6; ++at.z) {
    for (at.y = 0; at.y < 6; ++at.y) {
      for (at.x = 0; at.x < 10; ++at.x) {
        bool const tube = at.y > 0 && at.y < 5 && at.z > 0 && at.z < 5;
        box.pore[linear_index(box.shape, at)] = tube || at.x == 0 || at.x == 9 ? 1 : 0;
      }
    }
  }
  EXPECT_DOUBLE_EQ(hydraulic_diameter(box, {1, 0, 0}, {9, 6, 6}), 4);
  EXPECT_NE(hydraulic_diameter(box, {}, box.shape), 4);
}

}  // namespace
}  // namespace tessera

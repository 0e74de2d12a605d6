// SPDX-License-Identifier: MIT
#include "geometry/flat_walls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/generate.hpp"
#include "tests/geometry/tubes.hpp"

namespace tessera {
namespace {

TEST(PoreVolumeDoubt, BetweenPlatesIsThatOfTwoWalls) {
  Geometry const gap = plates(10, 1, Axis::y, 8);
  EXPECT_NEAR(pore_volume_doubt(gap), std::sqrt(2.0 / 12) / 10, 1e-12);
}

TEST(PoreVolumeDoubt, IsOfPiecesByThemselves) {
  Geometry image = uniform_box({8, 8, 8}, 0);
  EXPECT_EQ(pore_volume_doubt(image), 0);
  image.pore[linear_index(image.shape, {3, 3, 3})] = 1;
  EXPECT_NEAR(pore_volume_doubt(image), std::sqrt(6.0 / 12), 1e-12);
  // Two voxels that share an edge: twelve pieces. That share a face: four of two faces, two of one.
  image.pore[linear_index(image.shape, {4, 4, 3})] = 1;
  EXPECT_NEAR(pore_volume_doubt(image), std::sqrt(12.0 / 12) / 2, 1e-12);
  image.pore[linear_index(image.shape, {4, 4, 3})] = 0;
  image.pore[linear_index(image.shape, {4, 3, 3})] = 1;
  EXPECT_NEAR(pore_volume_doubt(image), std::sqrt(18.0 / 12) / 2, 1e-12);
}

TEST(PoreVolumeDoubt, TakesNoSideOfTheImageForAWallUnlessItWraps) {
  Geometry image = uniform_box({4, 4, 4}, 1);
  EXPECT_EQ(pore_volume_doubt(image), 0);
  for (std::int64_t i = 0; i < 16; ++i) image.pore[static_cast<std::size_t>(i)] = 0;  // z = 0
  EXPECT_NEAR(pore_volume_doubt(image), std::sqrt(1.0 / 12) / 3, 1e-12);
  image.periodic = {true, true, true};
  EXPECT_NEAR(pore_volume_doubt(image), std::sqrt(2.0 / 12) / 3, 1e-12);
}

// Wherever the middle of a straight tube lies, the error of its cross-section is of this size, and
// in a long one no smaller.
TEST(PoreVolumeDoubt, OfStraightTubesIsWhatTheirVoxelsAreOff) {
  for (double const radius : {2.3, 4.6, 9.2}) {
    double square = 0;
    double said = 0;
    for (double y = 0; y < 1; y += 0.2) {
      for (double z = 0; z < 1; z += 0.2) {
        Geometry const tube = test::straight_tube(6, 24, radius, y, z);
        double const area = std::numbers::pi * radius * radius;
        square += std::pow(static_cast<double>(tube.pore_voxels()) / 6 / area - 1, 2);
        said += std::pow(pore_volume_doubt(tube), 2);
      }
    }
    EXPECT_GT(std::sqrt(square / said), 0.25) << radius;
    EXPECT_LT(std::sqrt(square / said), 1) << radius;
  }
}

}  // namespace
}  // namespace tessera

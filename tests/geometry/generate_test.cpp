// SPDX-License-Identifier: MIT
#include "geometry/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::int64_t count_pores(Geometry const& geometry) {
  return std::count(geometry.pore.begin(), geometry.pore.end(), std::uint8_t{1});
}

double solid_fraction(Geometry const& geometry) {
  return 1 -
         static_cast<double>(count_pores(geometry)) / static_cast<double>(volume(geometry.shape));
}

TEST(SphereArray, HasThePublishedVoxelSolidFractions) {
  struct Row {
    std::int64_t size;
    double solid_fraction;
    double voxels;  // as printed, six digits
  };
  std::vector<Row> const table{
      {16, 0.125, 0.117188}, {16, 0.343, 0.335938}, {16, 0.5236, 0.531250},
      {32, 0.027, 0.027832}, {32, 0.125, 0.123047}, {32, 0.216, 0.216309},
      {32, 0.343, 0.344727}, {32, 0.45, 0.452637},  {32, 0.5236, 0.526611},
      {64, 0.125, 0.124939}, {64, 0.343, 0.342621}, {64, 0.5236, 0.524048}};
  for (Row const& row : table) {
    Geometry const array = sphere_array(SphereLattice::sc, row.size, row.solid_fraction);
    EXPECT_NEAR(solid_fraction(array), row.voxels, 5.1e-7)
        << row.size << " voxels, c = " << row.solid_fraction;
  }
}

TEST(SphereArray, ObeysTheVoxelRuleEverywhere) {
  std::int64_t const n = 12;
  Geometry const array = sphere_array(SphereLattice::bcc, n, 0.5);
  double const radius = sphere_array_radius(SphereLattice::bcc, n, 0.5);
  std::vector<Point> const centres{{0, 0, 0}, {6, 6, 6}};
  for (std::int64_t z = 0; z < n; ++z) {
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        bool const solid = std::ranges::any_of(centres, [&](Point const& centre) {
          Point const at{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                         static_cast<double>(z) + 0.5};
          double distance2 = 0;
          for (std::size_t i = 0; i < 3; ++i) {
            distance2 += std::pow(std::remainder(at[i] - centre[i], static_cast<double>(n)), 2);
          }
          return distance2 < radius * radius;
        });
        EXPECT_EQ(array.pore[linear_index(array.shape, {x, y, z})], solid ? 0 : 1);
      }
    }
  }
}

TEST(SphereArray, ConvergesToTheSolidFractionForEveryLattice) {
  for (SphereLattice const lattice : {SphereLattice::sc, SphereLattice::bcc, SphereLattice::fcc}) {
    EXPECT_NEAR(solid_fraction(sphere_array(lattice, 96, 0.4)), 0.4, 2e-3);
  }
}

TEST(SphereArray, IsPeriodicAlongAllAxes) {
  Geometry const array = sphere_array(SphereLattice::fcc, 16, 0.5);
  EXPECT_EQ(array.shape, (Int3{16, 16, 16}));
  EXPECT_EQ(array.periodic, (std::array<bool, 3>{true, true, true}));
}

TEST(SphereArray, TakesTheContactValuesOfTheTablesAndNothingDenser) {
  EXPECT_NO_THROW(sphere_array(SphereLattice::sc, 8, 0.5236));
  EXPECT_NO_THROW(sphere_array(SphereLattice::bcc, 8, 0.6802));
  EXPECT_NO_THROW(sphere_array(SphereLattice::fcc, 8, 0.7405));
  EXPECT_EQ(test::message_of<BadInput>([] { sphere_array(SphereLattice::sc, 8, 0.53); }),
            "sphere array sc: the solid fraction is 0.53; expected more than 0 and at most 0.5236, "
            "where the spheres touch");
  EXPECT_THROW(sphere_array(SphereLattice::bcc, 8, 0.69), BadInput);
  EXPECT_THROW(sphere_array(SphereLattice::fcc, 8, 0.75), BadInput);
}

TEST(SphereArray, RefusesFractionsAndSizesThatMakeNoSense) {
  for (double const fraction : {0.0, -0.1, nan, 1.0}) {
    EXPECT_THROW(sphere_array(SphereLattice::sc, 8, fraction), BadInput) << fraction;
  }
  EXPECT_THROW(sphere_array(SphereLattice::sc, 0, 0.2), BadInput);
  EXPECT_THROW(sphere_array(SphereLattice::sc, -4, 0.2), BadInput);
  EXPECT_THROW(sphere_array(SphereLattice::sc, 1 << 20, 0.2), BadInput);
}

TEST(OverlappingSpheres, StopAtTheFirstSphereThatReachesThePorosity) {
  for (double const porosity : {0.15, 0.4, 0.9}) {
    SpherePacking const packing = overlapping_spheres({50, 40, 60}, 6, porosity, 7);
    double const reached = 1 - solid_fraction(packing.geometry);
    EXPECT_LE(reached, porosity);
    EXPECT_GT(reached, porosity - 4.0 / 3 * pi * 220 / (50 * 40 * 60));
  }
}

TEST(OverlappingSpheres, HaveThePorosityOfTheBooleanModel) {
  double const radius = 4;
  SpherePacking const packing = overlapping_spheres({96, 96, 96}, radius, 0.5, 1);
  double const covered = static_cast<double>(packing.centres.size()) * 4 / 3 * pi *
                         std::pow(radius, 3) / std::pow(96, 3);
  EXPECT_NEAR(std::exp(-covered), 0.5, 0.02);
}

TEST(RandomSpheres, AreTheSameForTheSameSeedAndOthersForAnother) {
  for (auto const make : {overlapping_spheres, separate_spheres}) {
    SpherePacking const one = make({40, 30, 20}, 5, 0.75, 3);
    EXPECT_EQ(one.geometry.pore, make({40, 30, 20}, 5, 0.75, 3).geometry.pore);
    EXPECT_NE(one.geometry.pore, make({40, 30, 20}, 5, 0.75, 4).geometry.pore);
  }
}

TEST(RandomSpheres, StayTheSameFromVersionToVersion) {
  SpherePacking const packing = overlapping_spheres({64, 64, 64}, 8, 0.5, 42);
  // The first number of std::mt19937_64 with seed 42 is fixed by its definition.
  EXPECT_DOUBLE_EQ(packing.centres.front()[0], 64 * (13930160852258120406ULL >> 11) * 0x1p-53);
}

TEST(SeparateSpheres, NeverOverlapNotEvenAcrossTheFaces) {
  Int3 const shape{48, 36, 25};
  double const radius = 4;
  SpherePacking const packing = separate_spheres(shape, radius, 0.68, 11);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < packing.centres.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double distance2 = 0;
      for (Axis const axis : all_axes) {
        double const apart =
            packing.centres[i][index_of(axis)] - packing.centres[j][index_of(axis)];
        distance2 += std::pow(std::remainder(apart, static_cast<double>(shape[axis])), 2);
      }
      nearest = std::min(nearest, std::sqrt(distance2));
    }
  }
  EXPECT_GT(packing.centres.size(), 40U);
  EXPECT_GE(nearest, 2 * radius);
  EXPECT_LE(1 - solid_fraction(packing.geometry), 0.68);
}

TEST(SeparateSpheres, GiveUpWhereTheyJam) {
  std::string const message = test::message_of<BadInput>([] {
    separate_spheres({32, 32, 32}, 4, 0.5, 1);
  });
  EXPECT_NE(message.find("separate spheres: stuck at porosity 0.6"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(RandomSpheres, RefuseInputsThatMakeNoSense) {
  for (auto const make : {overlapping_spheres, separate_spheres}) {
    for (double const porosity : {0.0, 1.0, -0.5, nan}) {
      EXPECT_THROW(make({20, 20, 20}, 4, porosity, 1), BadInput) << porosity;
    }
    for (double const radius : {0.0, -1.0, 10.5, nan}) {
      EXPECT_THROW(make({20, 30, 30}, radius, 0.8, 1), BadInput) << radius;
    }
    EXPECT_THROW(make({20, 0, 20}, 4, 0.8, 1), BadInput);
  }
}

TEST(Plates, HaveTheGapAndTheWallAlongEachNormal) {
  for (Axis const normal : all_axes) {
    Geometry const box = plates(11, 2, normal, 3);
    EXPECT_EQ(box.periodic, (std::array<bool, 3>{true, true, true}));
    for (Axis const axis : all_axes) EXPECT_EQ(box.shape[axis], axis == normal ? 13 : 3);
    EXPECT_EQ(count_pores(box), 11 * 3 * 3);
    Int3 at{1, 1, 1};
    for (at[normal] = 0; at[normal] < 13; ++at[normal]) {
      EXPECT_EQ(box.pore[linear_index(box.shape, at)], at[normal] < 11 ? 1 : 0);
    }
  }
}

TEST(RectangularDuct, IsOpenInsideAWallOfOneVoxel) {
  Geometry const duct = rectangular_duct(4, 3, Axis::y, 5);
  EXPECT_EQ(duct.shape, (Int3{6, 5, 5}));
  EXPECT_EQ(duct.periodic, (std::array<bool, 3>{false, true, false}));
  EXPECT_EQ(count_pores(duct), 4 * 3 * 5);
  EXPECT_EQ(duct.pore[linear_index(duct.shape, {0, 2, 2})], 0);
  EXPECT_EQ(duct.pore[linear_index(duct.shape, {4, 2, 3})], 1);
  EXPECT_EQ(duct.pore[linear_index(duct.shape, {4, 2, 4})], 0);
}

TEST(Ducts, HaveSectionsThatConvergeToTheirAreas) {
  for (Axis const axis : all_axes) {
    for (double const size : {40.0, 80.3, 160.7}) {
      auto const circle = static_cast<double>(count_pores(circular_duct(size / 2, axis, 1)));
      EXPECT_NEAR(circle / (pi * size * size / 4), 1, 0.4 / size);
      auto const triangle = static_cast<double>(count_pores(triangular_duct(size, axis, 1)));
      EXPECT_NEAR(triangle / (std::numbers::sqrt3 * size * size / 4), 1, 1.5 / size);
    }
  }
}

TEST(Ducts, HaveWallsAllAroundAndTheSameSectionAllAlong) {
  for (Axis const axis : all_axes) {
    for (Geometry const& duct : {rectangular_duct(7, 5, axis, 4), circular_duct(5.5, axis, 4),
                                 triangular_duct(9.2, axis, 4)}) {
      EXPECT_EQ(duct.shape[axis], 4);
      Int3 at;
      for (at.z = 0; at.z < duct.shape.z; ++at.z) {
        for (at.y = 0; at.y < duct.shape.y; ++at.y) {
          for (at.x = 0; at.x < duct.shape.x; ++at.x) {
            Int3 first = at;
            first[axis] = 0;
            bool const pore = duct.is_pore(at);
            EXPECT_EQ(pore, duct.is_pore(first));
            for (Axis const across : all_axes) {
              bool const border = at[across] == 0 || at[across] == duct.shape[across] - 1;
              EXPECT_FALSE(pore && border && across != axis);
            }
          }
        }
      }
    }
  }
}

TEST(Ducts, AreSymmetricAboutTheMiddleOfTheBox) {
  for (Geometry const& duct : {circular_duct(6.3, Axis::z, 1), triangular_duct(11, Axis::z, 1),
                               circular_duct(6, Axis::z, 1)}) {
    Int3 at;
    for (at.y = 0; at.y < duct.shape.y; ++at.y) {
      for (at.x = 0; at.x < duct.shape.x; ++at.x) {
        EXPECT_EQ(duct.is_pore(at), duct.is_pore({duct.shape.x - 1 - at.x, at.y, 0}));
      }
    }
  }
}

TEST(Ducts, RefuseSizesThatMakeNoSense) {
  EXPECT_EQ(test::message_of<BadInput>([] { plates(0, 1, Axis::z, 1); }),
            "plates: the gap is 0 voxels; expected 1 to 32768");
  EXPECT_THROW(plates(4, 0, Axis::z, 1), BadInput);
  EXPECT_THROW(plates(4, 1, Axis::z, -1), BadInput);
  EXPECT_THROW(rectangular_duct(0, 3, Axis::x, 1), BadInput);
  EXPECT_THROW(rectangular_duct(3, std::numeric_limits<std::int64_t>::max(), Axis::x, 1), BadInput);
  EXPECT_THROW(circular_duct(nan, Axis::x, 1), BadInput);
  EXPECT_THROW(circular_duct(0.2, Axis::x, 1), BadInput);
  EXPECT_THROW(circular_duct(5, Axis::x, 0), BadInput);
  EXPECT_THROW(triangular_duct(-3, Axis::x, 1), BadInput);
  EXPECT_THROW(triangular_duct(1e300, Axis::x, 1), BadInput);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// dk/dl of a slip length l at the walls, against exact slopes.
#include "methods/stokes/slip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "geometry/generate.hpp"
#include "tests/methods/stokes/flows.hpp"

namespace tessera {
namespace {

using test::box_of;

/// dk/dl times the area of the box across the flow.
double slope_times_area(Geometry const& geometry, Axis axis,
                        Precision precision = Precision::double_precision,
                        double least_resolved = 1) {
  StokesOptions options = test::stokes_options(precision);
  options.keeps_odd_halves = true;
  auto const space = make_stokes_space(geometry, options);
  auto const solver = space->solver(axis);
  double const tolerance = precision == Precision::double_precision ? 1e-6 : 1e-4;
  EXPECT_TRUE(solve(*solver, tolerance, 1000).confirmed);
  auto const voxels = space->voxels();
  auto const states = solver->fields();
  auto const odd = solver->odd_halves();
  WallStress const stress = wall_stress(geometry.shape, geometry.periodic, voxels, states, odd);
  EXPECT_GE(stress.resolved, least_resolved);
  return stress.squared / static_cast<double>(geometry.shape[axis]);
}

TEST(Slip, InASlitHasTheExactSlope) {
  for (std::int64_t const h : {3, 8, 16}) {
    Geometry const slit = box_of({h + 6, 8, 8}, [&](Int3 at) { return at.x < h; });
    auto const height = static_cast<double>(h);
    EXPECT_NEAR(slope_times_area(slit, Axis::y) / (8 * height * height / 2), 1, 1e-3) << h;
  }
}

TEST(Slip, InAnInclinedSlitHasTheExactSlope) {
  // Walls along (1, 1, 0) and (2, 1, 0); along z, and along the wall and its steps.
  for (std::int64_t const rise : {1, 2}) {
    std::int64_t const n = 40;
    std::int64_t const layers = 24;
    Geometry const slit =
        box_of({n, n, 4}, [&](Int3 at) { return (rise * at.x + at.y) % n < layers; });
    double const length = std::hypot(static_cast<double>(rise), 1.0);
    double const h = static_cast<double>(layers) / length;
    double const per_area = h * h / 2 / (static_cast<double>(n) / length);
    EXPECT_NEAR(slope_times_area(slit, Axis::z) / (per_area * n * n), 1, 0.005) << rise;
  }
}

TEST(Slip, InATubeIsThatOfACircleOfItsArea) {
  for (double const centre : {18.0, 18.5, 18.2}) {
    for (double const radius : {8.0, 13.0}) {
      Geometry const tube = box_of({36, 36, 6}, [&](Int3 at) {
        return std::hypot(static_cast<double>(at.x) + 0.5 - centre,
                          static_cast<double>(at.y) + 0.5 - centre) < radius;
      });
      double const area = static_cast<double>(tube.pore_voxels()) / 6;
      double const of_area = std::sqrt(area / std::numbers::pi);
      double const exact = std::numbers::pi * std::pow(of_area, 3) / 2;
      EXPECT_NEAR(slope_times_area(tube, Axis::z) / exact, 1, 0.01) << centre << " " << radius;
    }
  }
}

TEST(Slip, InASquareDuctHasTheExactSlope) {
  Geometry const duct = box_of({26, 26, 6}, [](Int3 at) { return at.x < 16 && at.y < 16; });
  double sum = 0;
  for (int i = 1; i < 200; i += 2) sum += std::tanh(i * std::numbers::pi / 2) / std::pow(i, 5);
  double const flux = std::pow(16, 4) / 12 * (1 - 192 / std::pow(std::numbers::pi, 5) * sum);
  EXPECT_NEAR(slope_times_area(duct, Axis::z) / (8 * flux / 16), 1, 0.01);
}

TEST(Slip, AroundSpheresIsThatOfTheirExpansion) {
  // -dk/dR by the series of Sangani and Acrivos, Int. J. Multiphase Flow 8 (1982) 343: c = 0.216.
  Geometry const spheres = sphere_array(SphereLattice::sc, 32, 0.216);
  double const slope =
      slope_times_area(spheres, Axis::x, Precision::single_precision) / (32.0 * 32.0);
  EXPECT_NEAR(slope / 7.879, 1, 0.025);
}

TEST(Slip, DoesNotDependOnWhereTheBoxBegins) {
  auto const is_pore = [](Int3 at) {
    Int3 const block{at.x / 5, at.y / 5, at.z / 5};
    return (block.x * block.x + 2 * block.y * block.y + 3 * block.z + block.x * block.y) % 7 > 1;
  };
  Geometry const rock = test::leading_through(box_of({20, 15, 20}, is_pore), Axis::x);
  Geometry const moved = box_of({20, 15, 20}, [&](Int3 at) {
    return rock.is_pore({(at.x + 7) % 20, (at.y + 3) % 15, (at.z + 11) % 20});
  });
  double const slope = slope_times_area(rock, Axis::x, Precision::double_precision, 0.95);
  EXPECT_GT(slope, 0);
  EXPECT_NEAR(slope_times_area(moved, Axis::x, Precision::double_precision, 0.95) / slope, 1, 1e-4);
}

TEST(Slip, LeavesOutGrainsOfAVoxel) {
  std::mt19937 random(5);
  Geometry const noise =
      test::leading_through(box_of({16, 16, 16}, [&](Int3) { return random() % 4 > 0; }), Axis::x);
  StokesOptions options;
  options.keeps_odd_halves = true;
  auto const space = make_stokes_space(noise, options);
  auto const solver = space->solver(Axis::x);
  StokesResult const found = solve(*solver, 1e-3, 1000);
  auto const voxels = space->voxels();
  auto const states = solver->fields();
  auto const odd = solver->odd_halves();
  WallStress const stress = wall_stress(noise.shape, noise.periodic, voxels, states, odd);
  EXPECT_LT(stress.resolved, 0.95);
  // Pores that are a voxel wide have 6 / h at most.
  EXPECT_LT(stress.squared, 6 * found.confirmation.quadratic / 6);
}

}  // namespace
}  // namespace tessera

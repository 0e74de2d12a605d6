// SPDX-License-Identifier: MIT
// Effective conductivities beside exact ones, and what they must not depend on.
#include "methods/diffusion/diffusion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "base/errors.hpp"
#include "conductors.hpp"
#include "methods/diffusion/least_eigenvalue.hpp"

namespace tessera {
namespace {

using test::by_elimination;
using test::conductor_of;
using test::random_conductor;
using test::solved;

void expect_close(DiffusionResult const& found, double exact, double tolerance = 1e-10) {
  EXPECT_TRUE(found.confirmed);
  EXPECT_NEAR(found.estimate.conductivity / exact, 1, tolerance);
}

double layer(std::int64_t at) { return 0.1 + 0.7 * static_cast<double>(at % 5); }

TEST(Diffusion, ThroughLayersIsTheHarmonicMeanOfThem) {
  for (bool const periodic : {false, true}) {
    for (Axis const axis : all_axes) {
      Conductor const layers =
          conductor_of({15, 10, 20}, periodic, [axis](Int3 at) { return layer(at[axis]); });
      double resistance = 0;
      for (int k = 0; k < 5; ++k) resistance += 1 / (5 * layer(k));
      expect_close(solved(layers, axis, 1e-11), 1 / resistance);
    }
  }
}

TEST(Diffusion, AlongLayersIsTheirMean) {
  Conductor const layers = conductor_of({15, 10, 20}, false, [](Int3 at) { return layer(at.x); });
  expect_close(solved(layers, Axis::y, 1e-11), 1.5);
  expect_close(solved(layers, Axis::z, 1e-11), 1.5);
}

TEST(Diffusion, ThroughAMazeIsThatOfItsOnlyPath) {
  // A path of one voxel's width, up and down: 7 rows of 7 and the steps between them.
  constexpr std::int64_t size = 13;
  Conductor const maze = conductor_of({size, size, 1}, false, [](Int3 at) {
    bool const in_row = at.x % 2 == 0 && at.x >= 2 && at.x <= 10;
    bool const is_end = (at.x < 2 && at.y == 0) || (at.x > 10 && at.y == 12);
    bool const is_turn = at.x == 3 || at.x == 7   ? at.y == 12
                         : at.x == 5 || at.x == 9 ? at.y == 0
                                                  : false;
    return in_row || is_end || is_turn ? 1.0 : 0.0;
  });
  // Five columns of 13 voxels, four turns, two voxels at each end: 73 voxels one behind the other.
  double const exact = static_cast<double>(size) / (73.0 * static_cast<double>(size));
  expect_close(solved(maze, Axis::x, 1e-11), exact);
  EXPECT_NEAR(by_elimination(maze, Axis::x) / exact, 1, 1e-11);
}

TEST(Diffusion, IsThatOfElimination) {
  std::vector<std::vector<double>> const kinds{{1, 0}, {1, 1, 0}, {1, 0.05, 0}, {1, 1e-4, 30}};
  unsigned seed = 1;
  for (std::vector<double> const& values : kinds) {
    for (bool const periodic : {false, true}) {
      Conductor conductor = random_conductor({9, 7, 6}, periodic, values, ++seed);
      // A channel, so that something leads through.
      for (std::size_t i = 0; i < 9; ++i) {
        conductor.values[i] = 1;
        conductor.geometry.pore[i] = 1;
      }
      expect_close(solved(conductor, Axis::x, 1e-12), by_elimination(conductor, Axis::x));
    }
  }
}

/// The estimate of iterates at several tolerances, beside what they are really off.
void expect_honest(Conductor const& conductor, Axis axis) {
  double const exact = solved(conductor, axis, 1e-12).estimate.conductivity;
  for (double const tolerance : {1e-1, 1e-2, 1e-3, 1e-4, 1e-6}) {
    DiffusionResult const found = solved(conductor, axis, tolerance);
    double const error = found.estimate.conductivity / exact - 1;
    EXPECT_TRUE(found.confirmed);
    EXPECT_LT(error, found.estimate.error_estimate) << tolerance;
    EXPECT_GT(error, -1e-11);
  }
}

TEST(Diffusion, OfVoxelsThatAreNoCubesIsThatOfElimination) {
  unsigned seed = 21;
  for (bool const periodic : {false, true}) {
    Conductor conductor = random_conductor({7, 6, 8}, periodic, {1, 0.05, 3}, ++seed);
    conductor.edges = {2, 5, 0.7};
    for (Axis const axis : all_axes) {
      double const exact = by_elimination(conductor, axis);
      expect_close(solved(conductor, axis, 1e-12), exact);
    }
    if (!periodic) continue;
    auto const space = make_diffusion_space(conductor, {}, {});
    auto const fluxes = [&](Axis axis) {
      auto const solver = space->solver(axis);
      solve(*solver, 1e-12);
      std::array<double, 3> mean{};
      for (DiffusionState const& state : solver->fields()) {
        for (std::size_t a = 0; a < 3; ++a)
          mean[a] += double{state[a + 1]} / static_cast<double>(volume(conductor.geometry.shape));
      }
      return mean;
    };
    EXPECT_NEAR(fluxes(Axis::x)[0], by_elimination(conductor, Axis::x), 1e-6);
    EXPECT_NEAR(fluxes(Axis::x)[2], fluxes(Axis::z)[0], 1e-6);
  }
}

TEST(Diffusion, IsAboveTheExactOneByNoMoreThanTheEstimate) {
  unsigned seed = 11;
  for (std::vector<double> const& values :
       {std::vector<double>{1, 0}, {1, 1, 0}, {1, 0.01, 0.3}, {1e-3, 1}, {1, 1e-4, 30}}) {
    for (bool const periodic : {false, true})
      expect_honest(random_conductor({16, 14, 15}, periodic, values, ++seed), Axis::z);
  }
}

TEST(Diffusion, IsNoFurtherOffThanTheEstimateWhereChambersHaveNarrowThroats) {
  // Potentials that are flat in chambers and differ between them are found last.
  for (unsigned const seed : {1U, 2U}) {
    std::mt19937 random(seed);
    std::vector<unsigned> is_open(std::size_t{3} * 27);
    std::ranges::generate(is_open, [&random] { return static_cast<unsigned>(random() % 4); });
    for (bool const periodic : {false, true}) {
      auto const chambers = conductor_of({24, 24, 24}, periodic, [&](Int3 at) {
        int walls = 0;
        int middles = 0;
        std::size_t throat = 0;
        for (Axis const a : all_axes) {
          throat = 3 * throat + static_cast<std::size_t>(at[a] / 8);
          if (at[a] % 8 == 0) throat += 27 * index_of(a);
          walls += at[a] % 8 == 0 ? 1 : 0;
          middles += at[a] % 8 == 4 ? 1 : 0;
        }
        return walls == 0 || (walls == 1 && middles == 2 && is_open[throat % is_open.size()] != 0)
                   ? 1.0
                   : 0.0;
      });
      expect_honest(chambers, Axis::x);
    }
  }
}

TEST(Diffusion, IslandsInWhatConductsBadlySettleLikeTheRest) {
  // Boxes of 7 voxels, which no aggregate fits into evenly.
  for (double const bad : {1e-2, 1e-4, 1e-6, 1e-8}) {
    std::array<double, 3> const values{100, 1, bad};
    std::mt19937 random(3);
    std::vector<unsigned> kind(std::size_t{6} * 6 * 6);
    std::ranges::generate(kind, [&random] { return static_cast<unsigned>(random() % 3); });
    auto const islands = conductor_of({42, 42, 42}, false, [&](Int3 at) {
      return values[kind[linear_index({6, 6, 6}, {at.x / 7, at.y / 7, at.z / 7})]];
    });
    double const exact = solved(islands, Axis::z, 1e-13).estimate.conductivity;
    for (double const tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
      DiffusionEstimate const found = solved(islands, Axis::z, tolerance).estimate;
      EXPECT_LE(found.iterations, 40) << bad << ", " << tolerance;
      EXPECT_LT(found.conductivity / exact - 1, found.error_estimate) << bad << ", " << tolerance;
    }
  }
}

TEST(Diffusion, HasTheSameBitsForAnyThreads) {
  Conductor const conductor = random_conductor({40, 36, 33}, false, {1, 0.2, 0, 3}, 5);
  SteadyOptions three;
  three.threads = 3;
  EXPECT_EQ(solved(conductor, Axis::y, 1e-5).estimate.conductivity,
            solved(conductor, Axis::y, 1e-5, three).estimate.conductivity);
}

TEST(Diffusion, FluxesAreThoseOfTheSolution) {
  Conductor const conductor = random_conductor({16, 14, 12}, true, {1, 0.2, 3}, 8);
  auto const space = make_diffusion_space(conductor, {}, {});
  auto const solver = space->solver(Axis::x);
  double const effective = solve(*solver, 1e-12).estimate.conductivity;
  std::array<double, 3> sum{};
  for (DiffusionState const& state : solver->fields()) {
    for (std::size_t a = 0; a < 3; ++a) sum[a] += double{state[a + 1]};
  }
  auto const voxels = static_cast<double>(volume(conductor.geometry.shape));
  EXPECT_NEAR(sum[0] / voxels / effective, 1, 1e-6);
  // The tensor is symmetric.
  auto const other = space->solver(Axis::y);
  solve(*other, 1e-12);
  double across = 0;
  for (DiffusionState const& state : other->fields()) across += double{state[1]};
  EXPECT_NEAR(sum[1] / voxels, across / voxels, 1e-6);
}

TEST(Diffusion, VoxelsAreThoseThatConduct) {
  Conductor const conductor = random_conductor({9, 8, 7}, false, {1, 0}, 3);
  auto const space = make_diffusion_space(conductor, Axis::x, {});
  std::vector<std::uint8_t> seen(conductor.geometry.pore.size());
  for (std::int64_t const voxel : space->voxels()) ++seen[static_cast<std::size_t>(voxel)];
  EXPECT_EQ(seen, conductor.geometry.pore);
}

TEST(Diffusion, WhatIsAtFaultIsSaid) {
  Conductor const nothing = conductor_of({4, 4, 4}, false, [](Int3) { return 0; });
  EXPECT_THROW(make_diffusion_space(nothing, Axis::x, {}), BadInput);
  Conductor const all = conductor_of({4, 4, 4}, false, [](Int3) { return 1; });
  EXPECT_THROW(make_diffusion_space(all, Axis::x, {})->solver(Axis::y), BadInput);
  Conductor const wraps = conductor_of({4, 4, 4}, true, [](Int3) { return 1; });
  EXPECT_THROW(make_diffusion_space(wraps, Axis::x, {}), BadInput);
}

TEST(LeastEigenvalue, IsThatOfTheTridiagonalMatrix) {
  using steady::diffusion::least_eigenvalue;
  // Conjugate gradients find the three eigenvalues of a diagonal matrix in three steps.
  std::vector<double> const values{0.25, 0.5, 1};
  std::vector<double> r{1, 1, 1}, p = r;
  std::vector<double> products, squares{3};
  for (int k = 0; k < 3; ++k) {
    double product = 0;
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) product += values[i] * p[i] * p[i];
    for (std::size_t i = 0; i < 3; ++i) {
      r[i] -= squares.back() / product * values[i] * p[i];
      square += r[i] * r[i];
    }
    for (std::size_t i = 0; i < 3; ++i) p[i] = r[i] + square / squares.back() * p[i];
    products.push_back(product);
    squares.push_back(square);
  }
  EXPECT_NEAR(least_eigenvalue(products, squares), 0.25, 1e-9);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "permeability/voxel_interval.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "permeability/flows/image_answer.hpp"
#include "tests/geometry/tubes.hpp"

namespace tessera {
namespace {

std::vector<double> series(double limit, double part, double order, int values) {
  std::vector<double> k;
  for (int f = 1; f <= values; ++f) k.push_back(limit + part * std::pow(f, -order));
  return k;
}

/// The answers of one thread.
AnswerFlows const one_by_one = [](std::span<WantedFlow const> wanted) {
  std::atomic<bool> const never = false;
  std::vector<std::optional<ImageAnswer>> answers;
  for (WantedFlow const& one : wanted) {
    auto const flow = one.flow(one.axis, one.asked);
    flow->prepare(one.image());
    flow->solve({.cores = 1}, never);
    answers.emplace_back(flow->answer());
  }
  return answers;
};

TEST(StaircaseLimit, IsWhatAPowerLawComesTo) {
  EXPECT_NEAR(staircase_limit(series(2, 0.7, 1.2, 2)), 2, 1e-12);
  for (double const order : {0.8, 1.0, 1.2, 1.5, 2.0}) {
    EXPECT_NEAR(staircase_limit(series(2, 0.7, order, 3)), 2, 1e-9) << order;
    EXPECT_NEAR(staircase_limit(series(2, -0.3, order, 3)), 2, 1e-9) << order;
  }
}

TEST(StaircaseLimit, TakesTheUsualOrderWhereNoneFits) {
  EXPECT_NEAR(staircase_limit({1.0, 0.9, 0.95}), 0.9 - 0.1 / (std::pow(2, 1.2) - 1), 1e-12);
}

TEST(VoxelInterval, OfASphereArrayHoldsTheExactValue) {
  // Zick and Homsy (1982), simple cubic, c = 0.343: k = 2.0309 voxels^2 in a cell of 16.
  Geometry image = sphere_array(SphereLattice::sc, 16, 0.343);
  image.periodic = {true, true, true};
  PermeabilityCase asked;
  asked.setup = FlowSetup::periodic;
  auto const interval = voxel_interval(image, Axis::x, 2.0922, asked, 2, one_by_one);
  ASSERT_TRUE(interval);
  EXPECT_LT(interval->lower, 2.0309);
  EXPECT_GT(interval->upper, 2.0309);
  // k of the smooth surface and limit of the staircase, computed independently.
  EXPECT_NEAR(interval->smooth, 2.070, 0.02);
  double const limit = staircase_limit({2.0922, interval->staircase.front()});
  EXPECT_NEAR(limit, 1.745, 0.03);
  EXPECT_NEAR(interval->lower, limit * (1 - 3 * interval->pore_volume_doubt), 1e-12);
}

// A tube has the same cross-section in every layer: errors of layers do not cancel.
TEST(VoxelInterval, OfStraightTubesHoldsPoiseuillesValue) {
  PermeabilityCase asked;
  asked.setup = FlowSetup::periodic;
  for (double const radius : {2.3, 3.3, 6.7}) {
    for (double const off : {0.0, 0.27, 0.5}) {
      Geometry tube = test::straight_tube(4, 20, radius, off, off);
      tube.periodic = {true, true, true};
      WantedFlow const itself{.image = [&tube] { return tube; }, .axis = Axis::x, .asked = asked};
      double const k = one_by_one({&itself, 1}).front()->value;
      auto const interval = voxel_interval(tube, Axis::x, k, asked, 2, one_by_one);
      ASSERT_TRUE(interval);
      double const exact = std::numbers::pi * std::pow(radius, 4) / 8 / 400;
      EXPECT_LT(interval->lower, exact) << radius << " " << off;
      EXPECT_GT(interval->upper, exact) << radius << " " << off;
      EXPECT_LT(interval->upper - interval->lower, radius > 6 ? 0.4 * exact : 1.5 * exact);
    }
  }
}

TEST(VoxelInterval, IsNoneWhereItWasStopped) {
  auto const stopped = [](std::span<WantedFlow const> wanted) {
    std::vector<std::optional<ImageAnswer>> answers = one_by_one(wanted.first(1));
    answers.resize(wanted.size());
    return answers;
  };
  Geometry tube = test::straight_tube(4, 12, 4, 0, 0);
  tube.periodic = {true, true, true};
  PermeabilityCase asked;
  asked.setup = FlowSetup::periodic;
  EXPECT_FALSE(voxel_interval(tube, Axis::x, 1, asked, 2, stopped));
}

TEST(VoxelInterval, IsRefusedWhereNothingIsSolvedFor) {
  PermeabilityCase asked;
  asked.model.collision = CollisionOperator::mrt;
  EXPECT_THROW(check_refinement(asked, {.cores = 1}, 1000, 2), BadInput);
  EXPECT_THROW(check_refinement({}, {.cores = 1}, std::int64_t{1} << 40, 2), BadInput);
  EXPECT_NO_THROW(check_refinement({}, {.cores = 1}, 1000, 2));
}

}  // namespace
}  // namespace tessera

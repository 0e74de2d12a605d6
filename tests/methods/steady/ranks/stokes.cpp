// SPDX-License-Identifier: MIT
// Several processes solve a flow together: what each finds is, bit by bit, its part of what it
// finds by itself; on cores, and on the GPU where there is one, which they share.
//
//     mpirun -np 3 steady_ranks
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "geometry/generate.hpp"
#include "tests/methods/steady/ranks/own_part.hpp"
#include "tests/methods/stokes/flows.hpp"

namespace tessera {
namespace {

/// What a process knows of a flow in the end: of its own nodes, and of all.
struct Found {
  std::vector<std::int64_t> voxels;
  std::vector<StokesState> fields;
  std::vector<double> numbers;
  StokesShare share;
};

std::vector<double> numbers_of(StokesEstimate const& e, StokesConfirmation const& c) {
  return {static_cast<double>(e.iterations),
          e.quadratic,
          e.linear,
          e.error_estimate,
          e.residual,
          e.step_equivalents,
          c.quadratic,
          c.linear,
          c.residual,
          c.expected,
          c.slice_spread,
          c.force_balance};
}

Found solved(Geometry const& geometry, Axis axis, StokesOptions const& options) {
  auto const space = make_stokes_space(geometry, options);
  auto const solver = space->solver(axis);
  solver->iterate(7);
  StokesConfirmation const confirmation = solver->confirm();
  Found found;
  found.numbers = numbers_of(solver->iterate(6), confirmation);
  auto const voxels = space->voxels();
  auto const fields = solver->fields();
  found.voxels.assign(voxels.begin(), voxels.end());
  found.fields.assign(fields.begin(), fields.end());
  found.share = space->share();
  return found;
}

Found by_itself(Geometry const& geometry, Axis axis, StokesOptions const& options) {
  Ranks::ByItself const by_itself;
  return solved(geometry, axis, options);
}

void expect_the_same(Geometry const& geometry, Axis axis, StokesOptions const& options) {
  Found const alone = by_itself(geometry, axis, options);
  Found const together = solved(geometry, axis, options);
  test::expect_own_part(together, alone);
  auto const own = static_cast<std::int64_t>(together.voxels.size());
  EXPECT_EQ(together.share.nodes, own);
  std::int64_t nodes = own;
  Ranks::sum({&nodes, 1});
  EXPECT_EQ(nodes, static_cast<std::int64_t>(alone.voxels.size()));
  EXPECT_EQ(alone.share.traffic.messages + alone.share.traffic.gathers, 0);
}

/// All ranks: on cores, or on GPUs.
class StokesOfSeveralRanks : public testing::TestWithParam<SteadyDevice> {
 protected:
  void SetUp() override {
    if (GetParam() == SteadyDevice::gpu && !all_have_gpus()) GTEST_SKIP() << "no GPU";
  }
  static StokesOptions options(Precision precision = Precision::single_precision) {
    StokesOptions options = test::stokes_options(precision);
    options.device = GetParam();
    return options;
  }

 private:
  static bool all_have_gpus() {
    bool missing = false;
    try {
      Ranks::ByItself const by_itself;
      StokesOptions on_gpu;
      on_gpu.device = SteadyDevice::gpu;
      make_stokes_space(uniform_box({4, 4, 4}, 1), on_gpu);
    } catch (EnvironmentError const&) {
      missing = true;
    }
    return !Ranks::any(missing);
  }
};
INSTANTIATE_TEST_SUITE_P(On, StokesOfSeveralRanks,
                         testing::Values(SteadyDevice::cores, SteadyDevice::gpu),
                         [](auto const& on) {
                           return on.param == SteadyDevice::gpu ? "Gpu" : "Cores";
                         });

Geometry spheres() {
  return test::leading_through(overlapping_spheres({48, 40, 44}, 6, 0.3, 5).geometry, Axis::y);
}

TEST_P(StokesOfSeveralRanks, IsThatOfOneWithEachLevelSpread) {
  for (Precision const precision : {Precision::single_precision, Precision::double_precision}) {
    for (std::int64_t const small : {std::int64_t{1} << 17, std::int64_t{500}, std::int64_t{20}}) {
      StokesOptions of_level = options(precision);
      of_level.small_level = small;
      expect_the_same(spheres(), Axis::y, of_level);
    }
  }
}

TEST_P(StokesOfSeveralRanks, IsThatOfOneWithSeveralPoreSpacesThatWrapAround) {
  // Tubes along x, each by itself, and some that run across them; fewer chunks than processes.
  Geometry geometry = uniform_box({12, 20, 20}, 0);
  geometry.periodic = {true, true, true};
  for (std::int64_t z = 0; z < 20; ++z) {
    for (std::int64_t y = 0; y < 20; ++y) {
      for (std::int64_t x = 0; x < 12; ++x) {
        bool const along = y % 4 < 2 && z % 5 == 1;
        bool const across = z % 10 == 1 && x % 6 == 4;
        if (along || across) geometry.pore[linear_index(geometry.shape, {x, y, z})] = 1;
      }
    }
  }
  for (std::int64_t const small : {std::int64_t{1} << 17, std::int64_t{3}}) {
    StokesOptions of_level = options();
    of_level.small_level = small;
    expect_the_same(geometry, Axis::x, of_level);
  }
  Geometry one = uniform_box({4, 5, 5}, 0);
  one.periodic = {true, true, true};
  for (std::int64_t x = 0; x < 4; ++x) one.pore[linear_index(one.shape, {x, 2, 2})] = 1;
  expect_the_same(one, Axis::x, options());
}

TEST_P(StokesOfSeveralRanks, IsThatOfOneOnSeveralGpusEach) {
  if (GetParam() == SteadyDevice::cores) GTEST_SKIP() << "on GPUs";
  for (std::size_t const gpus : {2U, 3U}) {
    StokesOptions of_parts = options();
    of_parts.small_level = 500;
    of_parts.spread_above = 1000;
    of_parts.gpus.assign(gpus, 0);  // parts of one GPU: its number stands for each
    expect_the_same(spheres(), Axis::y, of_parts);
  }
}

TEST_P(StokesOfSeveralRanks, GoesOnFromWhatAnyNumberHasSaved) {
  Geometry const geometry = spheres();
  StokesOptions of_level = options();
  of_level.small_level = 500;
  auto const solve_on = [&](std::span<std::byte const> saved) {
    auto const space = make_stokes_space(geometry, of_level);
    auto const solver = space->solver(Axis::y);
    solver->restore_saved(saved);
    return solver->iterate(5).quadratic;
  };
  auto const save = [&] {
    auto const space = make_stokes_space(geometry, of_level);
    auto const solver = space->solver(Axis::y);
    solver->iterate(6);
    auto saved = solver->saved();
    return std::pair(std::move(saved), solver->iterate(5).quadratic);
  };
  auto const [of_one, later] = [&] {
    Ranks::ByItself const by_itself;
    return save();
  }();
  auto const [of_all, later_of_all] = save();
  EXPECT_EQ(later_of_all, later);
  if (Ranks::is_root()) {
    EXPECT_EQ(of_all, of_one);
  } else {
    EXPECT_TRUE(of_all.empty());
  }
  EXPECT_EQ(solve_on(of_one), later);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// The solver on a GPU against the same on cores; in the preset `exact`, bit by bit.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "tests/methods/stokes/flows.hpp"
#include "tests/methods/stokes/reference.hpp"

namespace tessera {
namespace {

using test::stokes_options;

#ifdef TESSERA_NO_FMA
constexpr bool same_bits = true;
#else
constexpr bool same_bits = false;
#endif

StokesOptions on_gpu(StokesOptions options) {
  options.device = SteadyDevice::gpu;
  return options;
}

bool has_gpu() {
  try {
    make_stokes_space(uniform_box({4, 4, 4}, 1), on_gpu({}));
  } catch (EnvironmentError const&) {
    return false;
  }
  return true;
}

struct Flow {
  std::vector<double> functionals;
  Uninitialised<StokesState> fields;
  Uninitialised<StokesOddHalves> odd;
};

Flow flow(Geometry const& geometry, Axis axis, StokesOptions options) {
  options.keeps_odd_halves = true;
  auto const space = make_stokes_space(geometry, options);
  auto const solver = space->solver(axis);
  Flow result;
  auto const note = [&](StokesEstimate const& e) {
    for (double const value : {e.quadratic, e.linear, e.residual})
      result.functionals.push_back(value);
  };
  note(solver->iterate(1));
  note(solver->iterate(12));
  StokesConfirmation const c = solver->confirm();
  for (double const value : {c.quadratic, c.linear, c.residual, c.slice_spread})
    result.functionals.push_back(value);
  note(solver->iterate(9));
  result.fields = solver->fields();
  result.odd = solver->odd_halves();
  return result;
}

void expect_same(Geometry const& geometry, Axis axis, StokesOptions const& options) {
  Flow const cores = flow(geometry, axis, options);
  Flow const gpu = flow(geometry, axis, on_gpu(options));
  ASSERT_EQ(gpu.functionals.size(), cores.functionals.size());
  ASSERT_EQ(gpu.fields.size(), cores.fields.size());
  ASSERT_EQ(gpu.odd.size(), cores.odd.size());
  for (std::size_t i = 0; i < gpu.odd.size(); ++i) {
    for (std::size_t k = 0; k < gpu.odd[i].size(); ++k)
      EXPECT_NEAR(gpu.odd[i].at(k), cores.odd[i].at(k), 1e-3) << i << " " << k;
  }
  if (same_bits) {
    EXPECT_EQ(gpu.functionals, cores.functionals);
    EXPECT_EQ(gpu.fields, cores.fields);
    EXPECT_EQ(gpu.odd, cores.odd);
    return;
  }
  double const tolerance = options.precision == Precision::double_precision ? 1e-6 : 3e-2;
  // Ducts of one cross-section have a slice spread of 0, which has no relative difference.
  for (std::size_t i = 0; i < cores.functionals.size(); ++i)
    EXPECT_NEAR(gpu.functionals[i], cores.functionals[i],
                tolerance * std::abs(cores.functionals[i]) + 1e-12)
        << i;
}

TEST(SteadyGpu, DoesAsTheCoresDo) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  for (Precision const precision : {Precision::single_precision, Precision::double_precision}) {
    expect_same(test::leading_through(
                    test::random_geometry({9, 33, 10}, 0.6, 4, {true, false, true}), Axis::x),
                Axis::x, stokes_options(precision));
    expect_same(
        test::leading_through(overlapping_spheres({70, 60, 50}, 6, 0.3, 5).geometry, Axis::z),
        Axis::z, stokes_options(precision, 0.25));
  }
}

TEST(SteadyGpu, TakesGreyVoxels) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  Geometry geometry =
      test::leading_through(overlapping_spheres({60, 50, 40}, 6, 0.3, 5).geometry, Axis::x);
  for (std::size_t i = 0; i < geometry.pore.size(); ++i)
    if (geometry.pore[i] != 0 && i / 7 % 3 != 0) geometry.pore[i] = i / 11 % 2 == 0 ? 2 : 3;
  StokesOptions options;
  options.grey = {1e-3, 0.2};
  expect_same(geometry, Axis::x, options);
}

TEST(SteadyGpu, TakesSeveralPoreSpaces) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  Geometry geometry = uniform_box({40, 40, 40}, 0);
  geometry.periodic = {true, false, false};
  for (std::int64_t z = 0; z < 40; ++z) {
    for (std::int64_t y = 0; y < 40; ++y) {
      for (std::int64_t x = 0; x < 40; ++x) {
        if (y % 5 != 0 && z % 7 != 0) geometry.pore[linear_index(geometry.shape, {x, y, z})] = 1;
      }
    }
  }
  expect_same(geometry, Axis::x, {});
}

TEST(SteadyGpu, HasThePermeabilityOfTheCores) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  Geometry const geometry =
      test::leading_through(overlapping_spheres({70, 60, 50}, 6, 0.3, 5).geometry, Axis::z);
  auto const cores =
      test::iterated(geometry, Axis::z, stokes_options(Precision::double_precision), 80);
  for (Precision const precision : {Precision::single_precision, Precision::double_precision}) {
    auto const space = make_stokes_space(geometry, on_gpu(stokes_options(precision)));
    auto const solver = space->solver(Axis::z);
    StokesResult const result = solve(*solver, 1e-3, 60);
    EXPECT_TRUE(result.confirmed);
    EXPECT_NEAR(result.estimate.quadratic / cores.confirmation.quadratic, 1, 1e-3);
    solver->iterate(60);
    EXPECT_NEAR(solver->confirm().quadratic / cores.confirmation.quadratic, 1, 1e-7);
  }
}

TEST(SteadyGpu, SeveralDoAsOneDoes) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  Geometry const geometry =
      test::leading_through(overlapping_spheres({90, 80, 70}, 6, 0.3, 5).geometry, Axis::z);
  for (Precision const precision : {Precision::single_precision, Precision::double_precision}) {
    StokesOptions options = on_gpu(stokes_options(precision));
    Flow const one = flow(geometry, Axis::z, options);
    options.spread_above = 1000;
    for (std::size_t const parts : {2U, 3U, 5U}) {
      options.gpus.assign(parts, 0);  // several parts of GPU 0
      Flow const several = flow(geometry, Axis::z, options);
      EXPECT_EQ(several.functionals, one.functionals) << parts;
      EXPECT_EQ(several.fields, one.fields) << parts;
    }
  }
}

/// Expects the same bits on `gpus` as on one, for a rock so large that each GPU has pages of its
/// own.
void expect_as_on_one(std::vector<int> const& gpus, std::int64_t spread_above) {
  Geometry const geometry =
      test::leading_through(overlapping_spheres({200, 180, 160}, 9, 0.35, 5).geometry, Axis::x);
  StokesOptions options = on_gpu(stokes_options(Precision::single_precision));
  Flow const one = flow(geometry, Axis::x, options);
  options.gpus = gpus;
  options.spread_above = spread_above;
  Flow const several = flow(geometry, Axis::x, options);
  EXPECT_EQ(several.functionals, one.functionals);
  EXPECT_EQ(several.fields, one.fields);
}

TEST(SteadyGpu, ManyNodesAreSpread) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  expect_as_on_one({0, 0, 0, 0}, 100000);
}

TEST(SteadyGpu, AllThatAreThereDoAsOneDoes) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  expect_as_on_one({0, 1, 2, 3}, 10000);  // GPUs that do not exist are left out
}

TEST(SteadyGpu, GoesOnFromWhatTheCoresSaved) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  Geometry const geometry =
      test::leading_through(overlapping_spheres({40, 40, 40}, 5, 0.3, 5).geometry, Axis::y);
  auto const cores = make_stokes_space(geometry, stokes_options(Precision::double_precision));
  auto const gpu = make_stokes_space(geometry, on_gpu(stokes_options(Precision::double_precision)));
  auto const here = cores->solver(Axis::y);
  auto const there = gpu->solver(Axis::y);
  here->iterate(9);
  there->restore_saved(here->saved());
  EXPECT_EQ(there->estimate().quadratic, here->estimate().quadratic);
  EXPECT_NEAR(there->iterate(5).quadratic / here->iterate(5).quadratic, 1, same_bits ? 0 : 1e-7);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// The stage on cores against an independent program, exact flows and invariants.
#include <gtest/gtest.h>

#include "tests/codelets/spectral/flows.hpp"
#include "tests/codelets/spectral/golden.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

void expect_values(State<double> const& q, golden::Values const& expected, double near) {
  EXPECT_NEAR(q[0], expected[0], near);
  EXPECT_NEAR(q[1], expected[1], near);
  EXPECT_NEAR(q[2], expected[2], near);
  EXPECT_EQ(q[3], 0);
  EXPECT_NEAR(q[4], expected[3], near);
}

/// Solution point j = 1, i = 0.
std::size_t point(MeshOfGas const& of, std::int32_t element) {
  return of.mesh.degree[static_cast<std::size_t>(element)] + 1U;
}

void expect_golden(BoxMesh const& box, golden::Golden const& expected) {
  MeshOfGas const of = gas_in(box);
  BareLoop<double> loop(of, {}, vortex(0));
  std::array<double, variables> norms{};
  for (std::int32_t e = 0; e < 64; ++e) {
    for (State<double> const& rate : loop.rate(e)) {
      for (std::size_t v = 0; v < variables; ++v) norms[v] += rate.value[v] * rate.value[v];
    }
  }
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_NEAR(std::sqrt(norms[v < 3 ? v : 4]), expected.rate_norms[v], 1e-12);
  for (std::int32_t const e : {27, 28})
    expect_values(loop.rate(e)[point(of, e)], expected.rates[e == 27 ? 0 : 1], 2e-12);
  State<double> const sums = totals(of, loop);
  expect_values({{sums[0], sums[1], sums[2], 0, sums[4]}}, expected.totals, 1e-11);

  constexpr std::array by{Integrator::carpenter_kennedy, Integrator::ssp3,
                          Integrator::bogey_bailly};
  for (std::size_t i = 0; i < by.size(); ++i) {
    SCOPED_TRACE(i);
    BareLoop<double> run(of, {.integrator = by[i]}, vortex(0));
    for (int step = 0; step < 10; ++step) run.step(0.01);
    for (std::int32_t const e : {27, 28})
      expect_values(run.state(e)[point(of, e)], expected.after[i][e == 27 ? 0 : 1], 1e-12);
    EXPECT_NEAR(density_error(of, run, vortex(0.1)), expected.errors[i], 1e-13);
    State<double> const later = totals(of, run);
    for (int v = 0; v < variables; ++v) EXPECT_NEAR(later[v], sums[v], 1e-11);
  }
}

TEST(Stage, IsThatOfTheReferenceOnStraightElements) {
  expect_golden(square(8, everywhere(3)), golden::straight);
}

TEST(Stage, IsThatOfTheReferenceOnCurvedElements) {
  BoxMesh box = square(8, everywhere(2));
  box.map_degree = 3;
  box.bend = wavy;
  expect_golden(box, golden::wavy);
}

TEST(Stage, IsThatOfTheReferenceBetweenUnlikeDegrees) {
  expect_golden(square(8, in_turn(2, 3, 1.25)), golden::chessboard);
}

double largest_rate(BoxMesh const& box, Exact const& initial) {
  MeshOfGas const of = gas_in(box);
  BareLoop<double> loop(of, {}, initial);
  double most = 0;
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    for (State<double> const& rate : loop.rate(static_cast<std::int32_t>(e))) {
      for (int v = 0; v < variables; ++v) most = std::max(most, std::abs(rate[v]));
    }
  }
  return most;
}

TEST(Stage, KeepsAUniformFlowUniformOnCurvedElements) {
  for (int k : {1, 3, 4}) {
    BoxMesh box = square(4, k == 3 ? in_turn(2, 3, 2.5) : everywhere(3));
    box.map_degree = k;
    box.bend = wavy;
    EXPECT_LT(largest_rate(box, uniform_in_plane), 1e-12) << "2-D, map " << k;
  }
  for (int k : {1, 2, 3}) {
    BoxMesh box{.dimension = 3,
                .cells = {3, 3, 3},
                .map_degree = k,
                .bend = bent_cube,
                .degree = everywhere(3),
                .turn = turned(3)};
    EXPECT_LT(largest_rate(box, uniform), 4e-11) << "3-D, map " << k;
  }
}

TEST(Stage, KeepsAUniformFlowUniformOnMapsOfHigherDegreesAndWhereUnlikeOnesMeet) {
  for (auto const& [low, high] : {std::pair{0, 0}, {1, 1}, {0, 1}, {0, 3}, {1, 3}}) {
    for (int k : {2, 3, 4}) {
      SCOPED_TRACE(testing::Message() << "degrees " << low << ", " << high << ", map " << k);
      BoxMesh plane = square(4, in_turn(low, high, 2.5));
      plane.map_degree = k;
      plane.bend = wavy;
      EXPECT_LT(largest_rate(plane, uniform_in_plane), 1e-12);
      BoxMesh const space{.dimension = 3,
                          .cells = {3, 3, 3},
                          .map_degree = k,
                          .bend = bent_cube,
                          .degree = in_turn(low, high, 1.0 / 3),
                          .turn = turned(3)};
      EXPECT_LT(largest_rate(space, uniform), 4e-11);
    }
  }
}

/// After some steps, in the elements' own order: those of a mesh whose elements are turned are
/// compared by their integrals.
std::vector<State<double>> means_after(BoxMesh const& box, Exact const& initial, int steps,
                                       double dt) {
  MeshOfGas const of = gas_in(box);
  BareLoop<double> loop(of, {}, initial);
  for (int step = 0; step < steps; ++step) loop.step(dt);
  std::vector<State<double>> means;
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    State<double>& mean = means.emplace_back();
    integrate(of.mesh, e, loop.state(static_cast<std::int32_t>(e)), 0,
              [&](Point const&, State<double> const& q, double w) {
                for (int v = 0; v < variables; ++v) mean[v] += q[v] * w;
              });
  }
  return means;
}

void expect_same_when_turned(BoxMesh box, Exact const& initial, double dt) {
  auto const straight = means_after(box, initial, 3, dt);
  box.turn = turned(box.dimension);
  auto const other = means_after(box, initial, 3, dt);
  for (std::size_t e = 0; e < straight.size(); ++e) {
    for (int v = 0; v < variables; ++v)
      EXPECT_NEAR(other[e][v], straight[e][v], 1e-14 * std::max(1.0, std::abs(straight[e][v])));
  }
}

TEST(Stage, DoesNotDependOnTheAxesOfElements) {
  BoxMesh plane = square(5, in_turn(1, 3, 2));
  plane.map_degree = 2;
  plane.bend = wavy;
  expect_same_when_turned(plane, vortex(0), 0.05);
  BoxMesh const space{.dimension = 3,
                      .cells = {3, 3, 2},
                      .map_degree = 2,
                      .bend = bent_cube,
                      .degree = in_turn(2, 3, 1.0 / 3)};
  expect_same_when_turned(space, density_wave(0), 0.002);
}

TEST(Stage, TakesAnElementForItsOwnNeighbour) {
  // A wave along x: how many cells there are along y and z does not matter.
  auto const wave = [](Point const& at) {
    return Primitive<double>{1 + 0.2 * std::sin(2 * std::numbers::pi * at[0]), {0.5, 0, 0}, 1};
  };
  auto const after = [&](std::array<std::int32_t, 3> cells) {
    return means_after({.dimension = 3,
                        .cells = cells,
                        .degree = everywhere(3),
                        .turn = [](std::int32_t cell) { return 5 * cell % 24; }},
                       wave, 3, 0.01);
  };
  auto const three = after({2, 3, 3});
  auto const one = after({2, 1, 1});
  auto const two = after({2, 2, 1});
  for (std::size_t const e : {0U, 1U}) {
    for (int v = 0; v < variables; ++v) {
      EXPECT_NEAR(one[e][v], 9 * three[e][v], 1e-14);
      EXPECT_NEAR(2 * two[e][v], 9 * three[e][v], 1e-14);
    }
  }
}

TEST(Stage, OfAnExtrudedFlowIsThatOfThePlane) {
  MeshOfGas const plane = gas_in(square(6, everywhere(3)));
  MeshOfGas const space = gas_in({.dimension = 3, .cells = {6, 6, 2}, .size = {10, 10, 3}});
  BareLoop<double> in_plane(plane, {.integrator = Integrator::ssp3}, vortex(0));
  BareLoop<double> in_space(space, {.integrator = Integrator::ssp3}, vortex(0, 0.5));
  for (int step = 0; step < 20; ++step) {
    in_plane.step(0.02);
    in_space.step(0.02);
  }
  for (std::int32_t e = 0; e < 36; ++e) {
    auto const flat = in_plane.state(e);
    for (std::int32_t layer : {0, 1}) {
      auto const deep = in_space.state(e + 36 * layer);
      for (std::size_t i = 0; i < deep.size(); ++i) {
        EXPECT_NEAR(deep[i][0], flat[i % 16][0], 1e-13);
        EXPECT_NEAR(deep[i][1], flat[i % 16][1], 1e-13);
      }
    }
  }
}

/// Error of the vortex after one turn.
double error_after_a_turn(BoxMesh const& box, int steps, GasParameters const& parameters = {}) {
  MeshOfGas const of = gas_in(box);
  BareLoop<double> loop(of, parameters, vortex(0));
  State<double> const before = totals(of, loop);
  for (int step = 0; step < steps; ++step) loop.step(10.0 / steps);
  State<double> const after = totals(of, loop);
  for (int v = 0; v < variables; ++v) EXPECT_NEAR(after[v], before[v], 1e-11);
  return density_error(of, loop, vortex(10));
}

void expect_within_a_percent(double error, double expected) {
  EXPECT_NEAR(error, expected, 0.01 * expected);
}

TEST(Vortex, HasTheErrorsOfTheReferenceAfterATurn) {
  expect_within_a_percent(error_after_a_turn(square(10, everywhere(1)), 240), 3.554397e-2);
  expect_within_a_percent(error_after_a_turn(square(10, everywhere(2)), 240), 5.871567e-3);
  expect_within_a_percent(error_after_a_turn(square(10, everywhere(3)), 240), 7.498747e-4);
  expect_within_a_percent(error_after_a_turn(square(5, everywhere(4)), 200), 2.503218e-3);
  expect_within_a_percent(error_after_a_turn(square(5, everywhere(5)), 300), 9.265352e-4);
  expect_within_a_percent(error_after_a_turn(square(5, everywhere(6)), 400), 2.440364e-4);
}

TEST(Vortex, HasTheErrorsOfTheReferenceByOtherSolversAndIntegrators) {
  BoxMesh const box = square(10, everywhere(3));
  auto const by = [&](GasParameters const& how) { return error_after_a_turn(box, 240, how); };
  expect_within_a_percent(by({.riemann = RiemannSolver::rusanov}), 8.033381e-4);
  expect_within_a_percent(by({.riemann = RiemannSolver::hllc}), 7.498213e-4);
  expect_within_a_percent(by({.integrator = Integrator::ssp3}), 7.534211e-4);
  expect_within_a_percent(by({.integrator = Integrator::bogey_bailly}), 7.512535e-4);
  expect_within_a_percent(by({.integrator = Integrator::jameson}), 7.520744e-4);
}

TEST(Vortex, HasTheErrorsOfTheReferenceOnWavyMeshesAndOfUnlikeDegrees) {
  expect_within_a_percent(error_after_a_turn(square(10, in_turn(3, 4, 1)), 400), 5.118984e-4);
  expect_within_a_percent(
      error_after_a_turn(square(10, [](Point const& at) { return at[0] < 5 ? 3 : 5; }), 600),
      4.859581e-4);
  BoxMesh wave = square(10, everywhere(3));
  wave.map_degree = 3;
  wave.bend = wavy;
  expect_within_a_percent(error_after_a_turn(wave, 480), 1.132043e-3);
  wave.degree = in_turn(3, 4, 1);
  expect_within_a_percent(error_after_a_turn(wave, 800), 7.455624e-4);
}

TEST(LongVortex, HasTheErrorsAndOrdersOfTheReferenceOnFinerMeshes) {
  struct Run {
    int p;
    std::int32_t cells;
    int steps;
    double error;
  };
  for (Run const& run :
       {Run{1, 20, 480, 1.457019e-2}, Run{1, 40, 960, 4.306033e-3}, Run{2, 20, 480, 6.904964e-4},
        Run{2, 30, 720, 1.570175e-4}, Run{3, 20, 480, 3.679459e-5}, Run{4, 10, 400, 1.224266e-4},
        Run{4, 20, 800, 2.959499e-6}, Run{5, 10, 600, 2.153670e-5}, Run{6, 10, 800, 3.065719e-6}}) {
    SCOPED_TRACE(run.p);
    expect_within_a_percent(error_after_a_turn(square(run.cells, everywhere(run.p)), run.steps),
                            run.error);
  }
  for (Run const& run : {Run{2, 20, 960, 9.026349e-4}, Run{3, 20, 960, 6.443355e-5}}) {
    BoxMesh wave = square(run.cells, everywhere(run.p));
    wave.map_degree = 3;
    wave.bend = wavy;
    expect_within_a_percent(error_after_a_turn(wave, run.steps), run.error);
  }
}

double error_of_wave(int p, std::int32_t n, bool curved) {
  BoxMesh box{.dimension = 3, .cells = {n, n, n}, .degree = everywhere(p)};
  if (curved) {
    box.map_degree = 3;
    box.bend = bent_cube;
  }
  MeshOfGas const of = gas_in(box);
  BareLoop<double> loop(of, {}, density_wave(0));
  for (int step = 0; step < 10 * n; ++step) loop.step(0.125 / (10 * n));
  return density_error(of, loop, density_wave(0.125));
}

TEST(DensityWave, HasTheErrorsOfTheReference) {
  expect_within_a_percent(error_of_wave(2, 3, false), 9.182514e-3);
  expect_within_a_percent(error_of_wave(2, 6, false), 1.593194e-3);
  expect_within_a_percent(error_of_wave(3, 3, false), 1.372407e-3);
  expect_within_a_percent(error_of_wave(3, 6, false), 1.160556e-4);
  expect_within_a_percent(error_of_wave(2, 3, true), 1.642162e-2);
  expect_within_a_percent(error_of_wave(3, 3, true), 5.093959e-3);
  expect_within_a_percent(error_of_wave(3, 6, true), 4.695183e-4);
}

}  // namespace
}  // namespace tessera::spectral

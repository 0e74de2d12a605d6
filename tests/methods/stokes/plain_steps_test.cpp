// SPDX-License-Identifier: MIT
// The solver against plain steps of the lattice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "models/lattice/steady_functional.hpp"
#include "tests/methods/stokes/flows.hpp"
#include "tests/methods/stokes/reference.hpp"

namespace tessera {
namespace {

using test::iterated;
using test::PlainFlow;
using test::stokes_options;

Geometry random_pores(Int3 shape, double porosity, std::uint32_t seed, Axis axis,
                      std::array<bool, 3> periodic = {true, true, true}) {
  return test::leading_through(test::random_geometry(shape, porosity, seed, periodic), axis);
}

TEST(SteadyForm, IsSymmetric) {
  PlainFlow const flow(random_pores({6, 5, 7}, 0.6, 3, Axis::x), Axis::x, 3.0 / 16, 0.8);
  std::mt19937 random(5);
  auto const vector = [&] {
    std::vector<test::Node> v(flow.populations().size());
    for (Int3 const at : flow.nodes()) {
      for (double& f : v[flow.index(at)]) f = double(random()) / 4294967296.0 - 0.5;
    }
    return v;
  };
  auto const a = vector();
  auto const b = vector();
  double const ab = flow.product(a, flow.apply(b));
  EXPECT_NEAR(flow.product(b, flow.apply(a)) / ab, 1, 1e-12);
}

TEST(SteadyForm, IsSolvedByWhereTheStepsEnd) {
  PlainFlow flow(random_pores({6, 5, 7}, 0.6, 3, Axis::x), Axis::x, 3.0 / 16, 0.8);
  flow.settle();
  auto const image = flow.apply(flow.populations());
  auto const force = flow.force();
  for (Int3 const at : flow.nodes()) {
    for (std::size_t q = 0; q < 19; ++q)
      EXPECT_NEAR(image[flow.index(at)][q], force[flow.index(at)][q], 1e-9);
  }
}

TEST(SteadyFlow, HasThePermeabilityOfPlainSteps) {
  struct Case {
    Int3 shape;
    double porosity;
    Axis axis;
    double magic;
    std::array<bool, 3> periodic;
  };
  std::vector<Case> const cases{{{8, 8, 8}, 0.6, Axis::x, 3.0 / 16, {true, true, true}},
                                {{7, 9, 6}, 0.7, Axis::y, 3.0 / 16, {true, true, true}},
                                {{9, 10, 8}, 0.6, Axis::z, 0.25, {false, true, true}},
                                {{10, 6, 7}, 0.8, Axis::x, 0.1, {true, false, false}},
                                {{40, 9, 9}, 0.6, Axis::y, 3.0 / 16, {false, true, false}},
                                {{1, 8, 8}, 0.7, Axis::y, 3.0 / 16, {true, true, true}},
                                {{2, 9, 5}, 0.7, Axis::y, 1.0 / 12, {true, true, true}}};
  std::uint32_t seed = 11;
  for (Case const& c : cases) {
    Geometry const geometry = random_pores(c.shape, c.porosity, ++seed, c.axis, c.periodic);
    ASSERT_GT(geometry.pore_voxels(), 10) << seed;
    PlainFlow plain(geometry, c.axis, c.magic, 0.8);
    double const expected = plain.settle() * plain.viscosity() * 6;
    auto const flow =
        iterated(geometry, c.axis, stokes_options(Precision::double_precision, c.magic), 120);
    EXPECT_NEAR(flow.estimate.quadratic / expected, 1, 1e-10) << seed;
    EXPECT_NEAR(flow.estimate.linear / expected, 1, 1e-8) << seed;
    EXPECT_NEAR(flow.confirmation.quadratic / expected, 1, 1e-10) << seed;
    EXPECT_NEAR(flow.confirmation.linear / expected, 1, 1e-8) << seed;
    EXPECT_LT(flow.confirmation.slice_spread, 1e-7) << seed;
    EXPECT_LT(flow.confirmation.residual, 1e-7) << seed;
    EXPECT_FALSE(flow.estimate.broken);
  }
}

TEST(SteadyFlow, HasTheFieldsOfPlainSteps) {
  Geometry const geometry = random_pores({9, 8, 7}, 0.65, 5, Axis::y);
  PlainFlow plain(geometry, Axis::y, 3.0 / 16, 1.0);
  plain.settle();
  auto const space = make_stokes_space(geometry, stokes_options(Precision::double_precision));
  auto const solver = space->solver(Axis::y);
  solver->iterate(120);
  auto const voxels = space->voxels();
  for (int round = 0; round < 2; ++round) {  // before and after the state is put together
    auto const fields = solver->fields();
    ASSERT_EQ(fields.size(), plain.nodes().size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::int64_t const v = voxels[i];
      Int3 const at{v % 9, v / 9 % 8, v / 72};
      EXPECT_NEAR(fields[i][0], plain.density(at), 1e-6);
      for (Axis const axis : all_axes)
        EXPECT_NEAR(fields[i][1 + index_of(axis)], plain.velocity(at, axis), 1e-7);
    }
    solver->confirm();
  }
}

/// K(g) by its definition, with the matrix.
double functional_of(PlainFlow const& flow, std::vector<test::Node> const& g) {
  auto const force = flow.force();
  auto residual = flow.apply(g);
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (std::size_t q = 0; q < 19; ++q) residual[i][q] = force[i][q] - residual[i][q];
  }
  return flow.product(force, g) + flow.product(g, residual);
}

/// The terms of a step from the states before and after it.
FunctionalTerms terms_of(PlainFlow const& flow, double tau, std::vector<test::Node> const& before) {
  double const force[3] = {0, 1, 0};
  FlowModel const model;
  auto const parameters =
      functional_parameters(model, flow_parameters(model, tau, 3.0 / 16, force));
  double sums[3] = {};
  for (Int3 const at : flow.nodes()) {
    double g[19], next[19];
    std::copy_n(before[flow.index(at)].begin(), 19, g);
    std::copy_n(flow.populations()[flow.index(at)].begin(), 19, next);
    add_functional_terms<D3Q19>(g, next, *parameters, sums);
  }
  return {sums[0], sums[1], sums[2]};
}

// K(g* + t e) - K(g*) = -t^2 <e, M e>, exactly.
TEST(SteadyForm, HasAFunctionalWithoutAnErrorOfFirstOrder) {
  PlainFlow flow(random_pores({6, 7, 5}, 0.6, 3, Axis::y), Axis::y, 3.0 / 16, 0.8);
  flow.settle();
  std::mt19937 random(5);
  std::vector<test::Node> error(flow.populations().size());
  for (Int3 const at : flow.nodes()) {
    for (double& e : error[flow.index(at)]) e = double(random()) / 4294967296.0 - 0.5;
  }
  double const exact = functional_of(flow, flow.populations());
  EXPECT_NEAR(exact / (3 * (flow.velocity_sum() + 0.5 * double(flow.nodes().size()))), 1, 1e-10);
  double const energy = flow.product(error, flow.apply(error));
  for (double const t : {1e-2, 1e-1, 1.0}) {
    auto g = flow.populations();
    for (std::size_t i = 0; i < g.size(); ++i) {
      for (std::size_t q = 0; q < 19; ++q) g[i][q] += t * error[i][q];
    }
    EXPECT_NEAR((functional_of(flow, g) - exact) / (-t * t * energy), 1, 1e-5) << t;
  }
}

// By the matrix, and by three states in a row alone.
TEST(SteadyForm, TellsItsFunctionalByTheStatesOfItsSteps) {
  for (double const tau : {0.55, 0.8, 1.3}) {
    PlainFlow flow(random_pores({6, 7, 5}, 0.6, 3, Axis::y), Axis::y, 3.0 / 16, tau);
    for (int n = 0; n < 12; ++n) flow.step();
    auto const first = flow.populations();
    flow.step();
    auto const second = flow.populations();
    FunctionalTerms const one = terms_of(flow, tau, first);
    flow.step();
    FunctionalTerms const two = terms_of(flow, tau, second);
    EXPECT_NEAR((one.driven + one.own) / functional_of(flow, first), 1, 1e-12) << tau;
    EXPECT_NEAR((two.driven + two.own) / functional_of(flow, second), 1, 1e-12) << tau;
    auto mean = first;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      for (std::size_t q = 0; q < 19; ++q) mean[i][q] = (first[i][q] + second[i][q]) / 2;
    }
    EXPECT_NEAR(functional_of_mean(one, two) / functional_of(flow, mean), 1, 1e-12) << tau;
  }
}

// The tensor is F_a M^-1 F_b, and M is symmetric.
TEST(SteadyFlow, HasASymmetricTensorFromOneSpace) {
  Geometry const geometry = random_pores({10, 9, 8}, 0.65, 21, Axis::x);
  auto const space = make_stokes_space(geometry, stokes_options(Precision::double_precision));
  double k[3][3] = {};
  for (Axis const force : all_axes) {
    auto const solver = space->solver(force);
    double const quadratic = solver->iterate(100).quadratic;
    for (StokesState const& state : solver->fields()) {
      for (std::size_t a = 0; a < 3; ++a) k[index_of(force)][a] += state[1 + a];
    }
    double const own = k[index_of(force)][index_of(force)];
    EXPECT_NEAR(own / quadratic, 1, 1e-9);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(k[a][(a + 1) % 3], k[(a + 1) % 3][a], 1e-9 * k[a][a]);
    EXPECT_GT(std::abs(k[a][(a + 1) % 3]), 1e-5 * k[a][a]);
  }
}

// The state put together has its other odd modes anew, so K may only be better, and the residual
// less; L is the same.
TEST(SteadyFlow, SaysBeforeItIsPutTogetherWhatItIs) {
  Geometry const geometry = random_pores({10, 10, 10}, 0.6, 8, Axis::x);
  auto const options = stokes_options(Precision::double_precision);
  double const exact = iterated(geometry, Axis::x, options, 120).confirmation.quadratic;
  for (int const count : {3, 8, 15, 22}) {
    auto const flow = iterated(geometry, Axis::x, options, count);
    EXPECT_NEAR(flow.estimate.linear / flow.confirmation.linear, 1, 1e-6) << count;
    EXPECT_NEAR(flow.estimate.quadratic / flow.confirmation.quadratic, 1,
                flow.estimate.error_estimate)
        << count;
    EXPECT_LT(std::abs(flow.confirmation.quadratic / exact - 1), flow.estimate.error_estimate);
    EXPECT_LE(flow.confirmation.residual, 1.001 * flow.estimate.residual) << count;
    EXPECT_GE(flow.confirmation.residual, 0.7 * flow.estimate.residual) << count;
    EXPECT_EQ(flow.estimate.residual, flow.confirmation.expected);
  }
}

}  // namespace
}  // namespace tessera

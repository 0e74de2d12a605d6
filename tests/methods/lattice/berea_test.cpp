// SPDX-License-Identifier: MIT
// Berea sandstone against an independent TRT code (same voxels, Lambda 3/16, half-way bounce-back,
// Stokes equilibrium, double precision) and against published values of another solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "geometry/connectivity.hpp"
#include "models/lattice/units.hpp"
#include "permeability/flows/convergence.hpp"
#include "tests/methods/lattice/flow.hpp"
#include "tests/methods/lattice/images.hpp"

namespace tessera {
namespace {

/// k of the flow along x, y, z: element [j][i] is nu <u_i> / g for a force along j.
using Tensor = std::array<std::array<double, 3>, 3>;

/// The point that a run of the same flow would have ended with if it had been asked for a coarser
/// tolerance: what is measured of a flow does not depend on the tolerance.
PermeabilityPoint end_of_coarser(PermeabilityOutcome const& run, double tolerance,
                                 bool for_fields) {
  Convergence convergence(tolerance, for_fields);
  std::int64_t distance = run.history.front().step;
  std::int64_t before = 0;
  for (PermeabilityPoint const& point : run.history) {
    if (point.step - before > distance) {
      convergence.thin_out();
      distance = point.step - before;
    }
    before = point.step;
    convergence.add(point.k_lattice, point.force_balance, point.k_linear);
    if (convergence.converged()) return point;
  }
  ADD_FAILURE() << "it has not come to a tolerance of " << tolerance;
  return run.last;
}

using SeeOutcome = std::function<void(Axis, PermeabilityOutcome const&)>;

Tensor tensor(Geometry const& image, PermeabilityCase flow_case,
              std::array<double, 3> const& tolerances, SeeOutcome const& see = {},
              std::array<std::optional<double>, 3> const& relaxation_times = {}) {
  flow_case.for_fields = true;  // flow across the force is taken from the state
  Tensor k{};
  for (Axis const axis : all_axes) {
    flow_case.tolerance = tolerances[index_of(axis)];
    flow_case.relaxation_time = relaxation_times[index_of(axis)];
    PreparedFlow const preparation = prepare_flow(image, axis, flow_case, {2});
    PermeabilityRun run(preparation, flow_case);
    PermeabilityOutcome const result = run.run();
    EXPECT_EQ(result.end, RunEnd::settled) << name_of(axis);
    if (see) see(axis, result);
    // In a sealed box the sample bears the whole force, that on the buffer layers, too.
    double const gradient = preparation.body_force / preparation.sample_share;
    for (std::size_t i = 0; i < 3; ++i) {
      k[index_of(axis)][i] =
          darcy_permeability(preparation.viscosity, result.last.mean_velocity[i], gradient);
    }
    EXPECT_DOUBLE_EQ(k[index_of(axis)][index_of(axis)], result.last.k_lattice);
  }
  return k;
}

void expect_tensor(Tensor const& k, Tensor const& expected, double diagonal, double off_diagonal) {
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(k[j][i] / expected[j][i], 1, i == j ? diagonal : off_diagonal)
          << "force along "
          << "xyz"[j] << ", flow along "
          << "xyz"[i];
    }
  }
}

/// Reciprocity: off-diagonal pairs agree to the tolerance that both runs were converged to.
void expect_symmetric(Tensor const& k, double tolerance) {
  double const largest = std::max({k[0][0], k[1][1], k[2][2]});
  for (auto const& [i, j] : {std::pair{0U, 1U}, {0U, 2U}, {1U, 2U}})
    EXPECT_NEAR(k[i][j], k[j][i], 2 * tolerance * largest) << "xyz"[i] << "xyz"[j];
}

constexpr Tensor berea_40{{{7.384392326e-4, 1.7468913e-4, 4.9032172e-4},
                           {1.7468913e-4, 3.218229744e-2, -4.6983555e-4},
                           {4.9032172e-4, -4.6983555e-4, 1.792845636e-2}}};
constexpr Tensor berea_100{{{0.0258903746, 0.00215678, 0.00055261},
                            {0.00215678, 0.0456515, 0.00129674},
                            {0.00055261, 0.00129674, 0.0443749}}};

PermeabilityCase case_for(Precision precision, double tolerance = 1e-3) {
  PermeabilityCase flow_case = test::double_case();
  flow_case.precision = precision;
  flow_case.tolerance = tolerance;
  flow_case.tiles = 4;
  return flow_case;
}

/// In double precision on one tile, which takes a third less time than four; how a flow is cut
/// changes no bit (invariance_test.cpp).
PermeabilityCase uncut_case(double tolerance = 1e-3) {
  PermeabilityCase flow_case = case_for(Precision::double_precision, tolerance);
  flow_case.tiles = 1;
  return flow_case;
}

/// Along y and z the crop of 40 has a wide path beside its tight ones, whose flow settles sooner
/// at a higher viscosity than the one chosen, at a relaxation time of 0.583.
constexpr double wide_pores_tau = 0.68;

TEST(Berea, CropOf40HasTheTensorOfAnIndependentCode) {
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  // For forces along y and z the flow across is a hundredth of the flow along, which the tolerance
  // is relative to.
  Tensor const k = tensor(test::cubic_image(path, 40), uncut_case(), {1e-7, 1e-8, 1e-8}, {},
                          {std::nullopt, wide_pores_tau, wide_pores_tau});
  expect_tensor(k, berea_40, 1e-6, 1e-6);
  expect_symmetric(k, 1e-8);
}

TEST(Berea, CropOf40DoesNotDependOnTheRelaxationTime) {
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  Geometry const image = test::cubic_image(path, 40);
  // That it does not at 1.5 either is found in AStoppedRunIsAsGoodAsItSaysAtAHighViscosityToo.
  for (double const tau : {0.55, 0.7}) {
    PermeabilityCase flow_case = uncut_case(1e-7);
    flow_case.relaxation_time = tau;
    PermeabilityOutcome const result = test::flow(image, Axis::x, flow_case);
    EXPECT_NEAR(result.last.k_lattice / berea_40[0][0], 1, 1e-6) << "tau " << tau;
  }
}

TEST(Berea, CropOf40DependsOnTheMagicNumber) {
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  PermeabilityCase flow_case = uncut_case(1e-7);
  flow_case.magic = 0.25;
  PermeabilityOutcome const result = test::flow(test::cubic_image(path, 40), Axis::x, flow_case);
  EXPECT_NEAR(result.last.k_lattice / 8.663123803e-4, 1, 1e-6);
}

TEST(Berea, CropOf100HasTheTensorOfAnIndependentCodeInSinglePrecision) {
  TESSERA_DATA_OR_SKIP(path, "berea_100_u8.raw.gz");
  Runtime const runtime;
  // The default tolerance is kept, too, as is found below from these runs; and a coarse one, for k
  // alone: a stopped run is as good as it says.
  double const usual = PermeabilityCase{}.tolerance;
  constexpr double coarse = 1e-2;
  auto const expect_promise = [&](Axis axis, PermeabilityOutcome const& run) {
    double const expected = berea_100[index_of(axis)][index_of(axis)];
    EXPECT_NEAR(end_of_coarser(run, usual, true).k_lattice / expected, 1, usual) << name_of(axis);
    PermeabilityPoint const end = end_of_coarser(run, coarse, false);
    EXPECT_NEAR(end.k_lattice / expected, 1, coarse)
        << name_of(axis) << " after " << end.step << " steps";
  };
  Tensor const k = tensor(test::cubic_image(path, 100), case_for(Precision::single_precision),
                          {1e-4, 1e-4, 1e-4}, expect_promise);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(k[i][i] / berea_100[i][i], 1, 1e-4);
  expect_symmetric(k, 1e-4);
}

TEST(LongBerea, CropOf100HasTheTensorOfAnIndependentCode) {
  TESSERA_DATA_OR_SKIP(path, "berea_100_u8.raw.gz");
  Runtime const runtime;
  Tensor const k = tensor(test::cubic_image(path, 100), case_for(Precision::double_precision),
                          {1e-7, 1e-7, 1e-7});
  // The diagonal is known to 6 digits and more; the others less well, 3e-8 being 2.6e-5 of k_yz.
  expect_tensor(k, berea_100, 1.5e-6, 1e-4);
  EXPECT_NEAR(k[0][0] / berea_100[0][0], 1, 1e-7);
  expect_symmetric(k, 1e-7);
}

TEST(Berea, TheDefaultsKeepTheirPromise) {
  // Single precision, relative error 1e-3, viscosity and force chosen.
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  PermeabilityCase flow_case;
  flow_case.setup = FlowSetup::periodic;
  Geometry const image = test::cubic_image(path, 40);
  for (Axis const axis : all_axes) {
    PermeabilityOutcome const usual = test::flow(image, axis, flow_case);
    EXPECT_EQ(usual.end, RunEnd::settled);
    double const expected = berea_40[index_of(axis)][index_of(axis)];
    EXPECT_NEAR(usual.last.k_lattice / expected, 1, flow_case.tolerance);
    // Runs to finer tolerances pass the same end.
    PermeabilityCase fine_case = case_for(Precision::single_precision, 1e-4);
    fine_case.for_fields = flow_case.for_fields;
    PermeabilityOutcome const fine = test::flow(image, axis, fine_case);
    PermeabilityPoint const there = end_of_coarser(fine, flow_case.tolerance, flow_case.for_fields);
    EXPECT_EQ(there.step, usual.last.step);
    EXPECT_EQ(there.k_lattice, usual.last.k_lattice);
  }
}

TEST(Berea, AStoppedRunIsAsGoodAsItSaysAtAHighViscosityToo) {
  // Far from the best viscosity a fast viscous mode and a slow pressure mode pull k both ways.
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  PermeabilityCase flow_case = uncut_case(1e-7);
  flow_case.relaxation_time = 1.5;
  PermeabilityOutcome const result = test::flow(test::cubic_image(path, 40), Axis::y, flow_case);
  EXPECT_EQ(result.end, RunEnd::settled);
  EXPECT_NEAR(result.last.k_lattice / berea_40[1][1], 1, 1e-6) << "k depends on the viscosity";
  for (double const tolerance : {1e-2, 1e-3, 1e-4}) {
    PermeabilityPoint const end = end_of_coarser(result, tolerance, flow_case.for_fields);
    EXPECT_NEAR(end.k_lattice / berea_40[1][1], 1, tolerance)
        << "after " << end.step << " steps, estimate " << end.error_estimate;
  }
}

TEST(Berea, SubVolumeHasThePublishedPercolatingPorosity) {
  // Mosser 2017 counts links through faces and no wrapping; all axes see the same cluster.
  TESSERA_DATA_OR_SKIP(path, "berea_sub000_128_u8.raw.gz");
  Geometry const image = test::cubic_image(path, 128);
  PoreComponents const components(image, Links::faces);
  for (Axis const axis : all_axes) {
    EXPECT_EQ(components.percolating_voxels(axis), 431'517);  // 0.205763 of 128^3
  }
  // The lattice has more links than that.
  EXPECT_EQ(PoreComponents(image, Links::faces_and_edges).percolating_voxels(Axis::x), 431'605);
}

TEST(LongBerea, SealedSubVolumeHasThePermeabilityOfAnIndependentCode) {
  TESSERA_DATA_OR_SKIP(path, "berea_sub000_128_u8.raw.gz");
  Runtime const runtime;
  PermeabilityCase flow_case = case_for(Precision::single_precision);
  flow_case.setup = FlowSetup::sealed;
  flow_case.buffer_layers = 4;
  flow_case.tiles = 8;
  Tensor const k = tensor(test::cubic_image(path, 128), flow_case, {1e-4, 1e-4, 1e-4});
  constexpr std::array independent{0.07817, 0.06143, 0.05760};      // four digits
  constexpr std::array published{0.0677227, 0.0552978, 0.0490182};  // Stokes, finite volumes
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(k[i][i] / independent[i], 1, 1e-3) << "xyz"[i];
    EXPECT_NEAR(k[i][i] / published[i], 1, 0.25) << "xyz"[i];
  }
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// How a run ends when it cannot end well, and when the user ends it.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "tests/methods/lattice/flow.hpp"

namespace tessera {
namespace {

Geometry spheres_to_stop() { return sphere_array(SphereLattice::sc, 16, 0.343); }

/// Far too strong a force at far too low a viscosity.
PermeabilityCase unstable_case() {
  PermeabilityCase flow_case = test::double_case();
  flow_case.model.equilibrium = EquilibriumForm::second_order;
  flow_case.relaxation_time = 0.501;
  flow_case.body_force = 1e-2;
  return flow_case;
}

TEST(Stop, AFlowThatDivergesStopsAndNamesATile) {
  Runtime const runtime;
  for (Precision const precision : {Precision::single_precision, Precision::double_precision}) {
    PermeabilityCase flow_case = unstable_case();
    flow_case.precision = precision;
    flow_case.tiles = 2;
    PermeabilityOutcome const result = test::flow(spheres_to_stop(), Axis::x, flow_case);
    EXPECT_EQ(result.end, RunEnd::diverged);
    EXPECT_GE(result.broken_tile, 0);
    EXPECT_LT(result.broken_tile, 2);
    EXPECT_LT(result.steps, flow_case.max_steps);
  }
}

TEST(Stop, AFlowWithoutAPathIsRefused) {
  Geometry wall = uniform_box({16, 8, 8}, 1);
  for (std::int64_t z = 0; z < 8; ++z) {
    for (std::int64_t y = 0; y < 8; ++y) wall.pore[linear_index(wall.shape, {7, y, z})] = 0;
  }
  for (FlowSetup const setup : {FlowSetup::sealed, FlowSetup::periodic, FlowSetup::mirrored}) {
    PermeabilityCase flow_case = test::double_case();
    flow_case.setup = setup;
    EXPECT_THROW(prepare_flow(wall, Axis::x, flow_case, {2}), BadInput);
    EXPECT_NO_THROW(prepare_flow(wall, Axis::y, flow_case, {2}));
    try {
      prepare_flow(wall, Axis::x, flow_case, {2});
    } catch (BadInput const& error) {
      EXPECT_NE(std::string(error.what()).find("along x"), std::string::npos) << error.what();
    }
  }
}

TEST(Stop, TheStepLimitIsKept) {
  Runtime const runtime;
  for (std::int64_t const limit : {1, 2, 3, 19, 20, 21, 22, 50, 101}) {
    PermeabilityCase flow_case = test::double_case();
    flow_case.max_steps = limit;
    PermeabilityOutcome const result = test::flow(spheres_to_stop(), Axis::x, flow_case);
    EXPECT_EQ(result.end, RunEnd::all_steps) << limit;
    EXPECT_FALSE(result.history.empty()) << limit;
    EXPECT_GT(result.last.k_lattice, 0) << limit;
    // A point needs two steps.
    EXPECT_LE(result.steps, std::max<std::int64_t>(limit, 2)) << limit;
  }
}

TEST(Stop, ARunIsTheSameForAnyStepsPerSweep) {
  Runtime const runtime;
  for (std::int64_t const limit : {1, 2, 23, 24, 25, 62, 200'000}) {
    PermeabilityCase flow_case = test::double_case();
    flow_case.tolerance = 1e-4;
    flow_case.max_steps = limit;
    flow_case.tiles = 4;
    PermeabilityOutcome const expected = test::flow(spheres_to_stop(), Axis::x, flow_case);
    for (int const k : {2, 3, 8, 1000}) {
      flow_case.steps_per_sweep = k;
      PermeabilityOutcome const result = test::flow(spheres_to_stop(), Axis::x, flow_case);
      EXPECT_EQ(result.end, expected.end) << limit << ", " << k;
      EXPECT_EQ(result.steps, expected.steps) << limit << ", " << k;
      ASSERT_EQ(result.history.size(), expected.history.size()) << limit << ", " << k;
      for (std::size_t i = 0; i < result.history.size(); ++i) {
        EXPECT_EQ(result.history[i].step, expected.history[i].step);
        EXPECT_EQ(result.history[i].k_lattice, expected.history[i].k_lattice);
        EXPECT_EQ(result.history[i].error_estimate, expected.history[i].error_estimate);
      }
    }
  }
}

TEST(Stop, AnInterruptionEndsTheRunWithWhatThereIs) {
  Runtime const runtime;
  PermeabilityCase const flow_case = test::double_case();
  PreparedFlow const preparation = prepare_flow(spheres_to_stop(), Axis::x, flow_case, {2});
  PermeabilityRun run(preparation, flow_case);
  std::atomic<bool> stop = false;
  int points = 0;
  PermeabilityOutcome const result =
      run.run([&](PermeabilityPoint const&) { stop = ++points == 3; }, {.stop = &stop});
  EXPECT_EQ(result.end, RunEnd::interrupted);
  EXPECT_GE(result.history.size(), 3U);
  EXPECT_GT(result.last.k_lattice, 0);
}

}  // namespace
}  // namespace tessera

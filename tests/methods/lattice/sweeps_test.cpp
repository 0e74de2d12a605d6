// SPDX-License-Identifier: MIT
// Lattices larger than the memory of their GPUs. The plan needs no GPU, and its tiles run on cores.
#include "run/plan/sweeps.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "graph/runtime/runtime.hpp"
#include "tests/methods/lattice/flow.hpp"

namespace tessera {
namespace {

Geometry const& long_rock() {
  static Geometry const geometry = overlapping_spheres({32, 32, 480}, 6, 0.5, 3).geometry;
  return geometry;
}

/// As long, and so slender that a layer of blocks has two of them in a sealed box, whose layers of
/// fluid are nodes enough to let a part of the slabs fit. Without these it must be wider.
Geometry const& slender_rock() {
  static Geometry const geometry = overlapping_spheres({22, 16, 480}, 6, 0.5, 3).geometry;
  return geometry;
}

/// In slabs of one layer, of which many fit.
PermeabilityCase case_in(FlowSetup setup) {
  PermeabilityCase flow_case;
  flow_case.tiles = 60;
  flow_case.setup = setup;
  flow_case.max_steps = 45;
  return flow_case;
}

/// GPUs that hold a share of the lattice together.
PreparedFlow prepare(PermeabilityCase const& flow_case, double share, unsigned gpus = 1,
                     Geometry const& rock = long_rock()) {
  std::int64_t const nodes = prepare_box(rock, Axis::x, flow_case).nodes;
  auto const needed = static_cast<double>(bytes_on_gpus(nodes / gpus, flow_case.precision));
  return prepare_flow(
      rock, Axis::x, flow_case,
      {.cores = 2, .gpus = gpus, .gpu_bytes = static_cast<std::size_t>(share * needed)});
}

TEST(Sweeps, AreMadeOnlyWhereTheLatticeDoesNotFit) {
  EXPECT_EQ(prepare_flow(long_rock(), Axis::x, {}, {2}).steps_per_sweep, 1);
  EXPECT_EQ(prepare_flow(long_rock(), Axis::x, {}, {2, 1}).steps_per_sweep, 1);
  EXPECT_EQ(prepare({}, 1.01).rooms, 0);
  EXPECT_EQ(prepare({}, 1.01).steps_per_sweep, 1);
  PermeabilityCase thin;
  thin.tiles = 60;
  EXPECT_GT(prepare(thin, 0.5).steps_per_sweep, 5);
  EXPECT_GT(prepare(thin, 0.5).rooms, 0);
  EXPECT_LT(prepare({}, 0.5).tiling.tiles.size(), prepare(thin, 0.5).tiling.tiles.size())
      << "so little crosses the bus that fewer tasks are worth more";
  EXPECT_EQ(prepare({}, 0.01).steps_per_sweep, 1);
  EXPECT_EQ(prepare({}, 0.01).rooms, 0) << "there is no room for anything";
}

TEST(Sweeps, HaveAsManyStepsAsAreAskedFor) {
  PermeabilityCase asked_for;
  asked_for.steps_per_sweep = 3;
  for (double const share : {2.0, 0.5, 0.01}) {
    EXPECT_EQ(prepare(asked_for, share).steps_per_sweep, 3) << share;
    EXPECT_EQ(prepare(asked_for, share).rooms > 0, share == 0.5) << share;
  }
}

TEST(Sweeps, WhatIsInUseFitsIntoTheMemory) {
  for (FlowSetup const setup : {FlowSetup::sealed, FlowSetup::periodic}) {
    for (double const share : {0.8, 0.5, 0.3}) {
      PermeabilityCase const flow_case = case_in(setup);
      PreparedFlow const p = prepare(flow_case, share);
      ASSERT_GT(p.rooms, 0) << share;
      EXPECT_GE(p.rooms, p.steps_per_sweep + 2);
      EXPECT_EQ(p.levels->ring, setup == FlowSetup::periodic);
      SlabBytes const bytes = bytes_of_slabs(p.tiling, flow_case.precision);
      double const there =
          share * static_cast<double>(bytes_on_gpus(p.tiling.nodes, flow_case.precision));
      EXPECT_LT(static_cast<double>((p.rooms + 3) * bytes.lattice + bytes.always), there) << share;
      EXPECT_EQ(rooms_in(static_cast<std::int64_t>(there), bytes), p.rooms) << share;
    }
  }
}

TEST(Sweeps, EachStepMoreTakesARoom) {
  EXPECT_EQ(most_steps(0), 0);
  EXPECT_EQ(most_steps(2), 0);
  EXPECT_EQ(most_steps(3), 1);
  EXPECT_EQ(most_steps(17), 15);
}

TEST(Sweeps, TheFlowIsTheSame) {
  for (FlowSetup const setup : {FlowSetup::sealed, FlowSetup::periodic}) {
    Geometry const& rock = setup == FlowSetup::sealed ? slender_rock() : long_rock();
    PermeabilityOutcome expected;
    {
      Runtime const runtime({}, 2);
      PreparedFlow const p = prepare_flow(rock, Axis::x, case_in(setup), {2});
      expected = PermeabilityRun(p, case_in(setup)).run();
    }
    for (auto const& [share, gpus] :
         {std::pair{0.8, 1U}, std::pair{0.3, 1U}, std::pair{0.01, 1U}, std::pair{0.9, 2U}}) {
      Runtime const runtime({}, 2);
      PreparedFlow const p = prepare(case_in(setup), share, gpus, rock);
      EXPECT_EQ(p.rooms > 0, share > 0.1);
      PermeabilityOutcome const swept = PermeabilityRun(p, case_in(setup)).run();
      EXPECT_EQ(swept.steps, expected.steps);
      EXPECT_EQ(swept.last.k_lattice, expected.last.k_lattice);
      EXPECT_EQ(swept.last.force_balance, expected.last.force_balance);
    }
  }
}

}  // namespace
}  // namespace tessera

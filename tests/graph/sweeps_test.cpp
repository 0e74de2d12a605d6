// SPDX-License-Identifier: MIT
// Lattices larger than the memory of their GPUs. The plan needs no GPU, and its tiles run on cores.
#include "app/sweeps.hpp"

#include <gtest/gtest.h>

#include "graph/runtime.hpp"
#include "graph/step_order.hpp"
#include "io/generate.hpp"
#include "lattice/errors.hpp"
#include "tests/graph/flow.hpp"

namespace tessera {
namespace {

Geometry rock() { return overlapping_spheres({32, 64, 480}, 6, 0.5, 3).geometry; }

FlowCase sealed_case() {
  FlowCase flow_case;
  flow_case.max_steps = 70;
  return flow_case;
}

/// A GPU that holds a share of the lattice.
FlowPreparation prepare(FlowCase const& flow_case, double share) {
  FlowPreparation const all = prepare_flow(rock(), Axis::x, flow_case, {2});
  auto const needed = static_cast<double>(bytes_on_gpus(all.tiling.nodes, flow_case.precision));
  return prepare_flow(
      rock(), Axis::x, flow_case,
      {.cores = 2, .gpus = 1, .gpu_bytes = static_cast<std::size_t>(share * needed)});
}

TEST(Sweeps, AreMadeOnlyWhereTheLatticeDoesNotFit) {
  EXPECT_EQ(prepare_flow(rock(), Axis::x, {}, {2}).steps_per_sweep, 1);
  EXPECT_EQ(prepare_flow(rock(), Axis::x, {}, {2, 1}).steps_per_sweep, 1);
  EXPECT_EQ(prepare({}, 1.01).steps_per_sweep, 1);
  EXPECT_EQ(prepare({}, 0.8).steps_per_sweep, 8);
  EXPECT_EQ(prepare({}, 0.42).steps_per_sweep, 4) << "8 would take slabs thinner than a layer";
  EXPECT_EQ(prepare({}, 0.01).steps_per_sweep, 1);
  FlowCase asked_for;
  asked_for.steps_per_sweep = 3;
  EXPECT_EQ(prepare(asked_for, 2).steps_per_sweep, 3);
  EXPECT_EQ(prepare(asked_for, 0.5).steps_per_sweep, 3);
}

TEST(Sweeps, TheTilesInUseFitIntoTheMemory) {
  for (double const share : {0.8, 0.42, 0.32}) {
    FlowPreparation const p = prepare({}, share);
    ASSERT_GT(p.steps_per_sweep, 1);
    auto const tiles = static_cast<double>(p.tiling.tiles.size());
    StepOrder const order = StepOrder::by_levels(p.tiling);
    EXPECT_EQ(order.levels().size(), p.tiling.tiles.size()) << "a chain";
    EXPECT_GE(share * tiles, slabs_in_memory(p.steps_per_sweep, FlowCase{}.window, 1)) << share;
  }
}

TEST(Sweeps, TheFlowIsTheSame) {
  FlowOutcome expected;
  {
    Runtime const runtime;
    FlowPreparation const p = prepare_flow(rock(), Axis::x, sealed_case(), {2});
    expected = FlowRun(p, Axis::x, sealed_case()).run();
  }
  for (double const share : {0.8, 0.32}) {
    Runtime const runtime;
    FlowPreparation const p = prepare(sealed_case(), share);
    ASSERT_GT(p.steps_per_sweep, 1);
    FlowOutcome const swept = FlowRun(p, Axis::x, sealed_case()).run();
    EXPECT_EQ(swept.steps, expected.steps);
    EXPECT_EQ(swept.last.k_lattice, expected.last.k_lattice);
    EXPECT_EQ(swept.last.force_balance, expected.last.force_balance);
  }
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/runtime.hpp"
#include "lattice/errors.hpp"
#include "tests/flow/boxes.hpp"
#include "tests/flow/fields.hpp"
#include "tests/recut/ranks.hpp"

namespace tessera {
namespace {

constexpr int steps = 41;

using test::rock;

Tiling tiling_in_shares(BlockGrid const& grid, std::vector<double> const& shares, int tiles) {
  return build_tiling(grid, test::cut_in_shares(block_graph(grid), shares, tiles), {Layout::apart},
                      Ranks::number());
}

/// On the first rank what one process finds is what all have found.
void expect_same(test::Fields const& of_all, test::Fields const& of_one, std::string const& what) {
  if (!Ranks::is_first()) return;
  EXPECT_EQ(test::differing_voxels(of_all, of_one), 0) << what;
  EXPECT_TRUE(test::same_bits(of_all.last_but_one, of_one.last_but_one)) << what;
  EXPECT_TRUE(test::same_bits(of_all.last, of_one.last)) << what;
}

test::Fields of_one(int count, FlowOptions const& options) {
  return test::by_the_first([&] {
    Runtime const runtime("", 1);
    return test::fields_after(count, test::metis_tiling(rock(), 3), options);
  });
}

TEST(RecutOverRanks, ChangesNotABit) {
  BlockGrid const grid(rock());
  for (auto const precision : {Precision::double_precision, Precision::half_storage}) {
    FlowOptions const options = test::skew_flow(precision, EquilibriumForm::second_order);
    test::Fields const expected = of_one(steps, options);
    Runtime const runtime("", 1);
    BalanceReport report;
    test::Fields const fields = test::fields_after(
        steps, tiling_in_shares(grid, {3, 1, 2}, 2), options, [&](FlowGraph& graph, int count) {
          auto const adopt = [&](std::vector<double> const& shares, int tiles) {
            graph.adopt(tiling_in_shares(grid, shares, tiles));
          };
          adopt({1, 3, 1}, 1);  // before the first step
          graph.submit_steps(7);
          graph.submit_measurement();
          adopt({1, 1, 1}, 5);
          graph.submit_steps(1);
          adopt({2, 3, 4}, 1);
          adopt({5, 1, 1}, 3);  // on an even step, at once again
          graph.submit_steps(count - 8);
          EXPECT_EQ(graph.take_measurement(7).step, 7) << "taken before, read after";
          report = graph.balance_report();
        });
    expect_same(fields, expected, std::to_string(static_cast<int>(precision)));
    EXPECT_EQ(report.cuts, 4);
    EXPECT_GT(report.bytes_cut, 0U);
  }
}

TEST(RecutOverRanks, TakesAlongWhatBoundariesRemember) {
  test::Box box = test::remembering_box();
  test::Flow const flow{.steps = 61, .tiles = 1};
  test::Result const expected = test::by_the_first([&] { return test::run(box, flow); });
  box.boundaries.shape = box.shape;
  box.boundaries.periodic = box.periodic;
  BlockGrid grid(box.geometry(), flow.model.lattice);
  grid.need_all_beside(box.boundaries.faces_that_mirror());
  FlowOptions options;
  options.precision = flow.precision;
  options.model = flow.model;
  options.parameters = flow_parameters(flow.model, flow.tau, 3.0 / 16, flow.force);
  options.boundaries = std::make_shared<Boundaries const>(box.boundaries);
  options.kernels = &generic_kernels;
  Runtime const runtime("", 1);
  test::Fields const fields = test::fields_after(
      flow.steps, tiling_in_shares(grid, {1, 1, 1}, 2), options, [&](FlowGraph& graph, int count) {
        graph.submit_steps(20);
        graph.adopt(tiling_in_shares(grid, {1, 3, 2}, 1));
        graph.submit_steps(1);
        graph.adopt(tiling_in_shares(grid, {3, 1, 1}, 3));
        graph.submit_steps(count - 21);
      });
  if (!Ranks::is_first()) return;
  EXPECT_EQ(test::differing_voxels(fields, {expected.states, {}, {}}), 0);
  ASSERT_EQ(fields.last.wall_forces.size(), expected.measurement.wall_forces.size());
  for (std::size_t i = 0; i < fields.last.wall_forces.size(); ++i) {
    for (int a = 0; a < 3; ++a)
      EXPECT_EQ(fields.last.wall_forces[i].force[a], expected.measurement.wall_forces[i].force[a]);
  }
}

/// All ranks: steps until the lattice has been cut anew, or that has been refused; not for ever.
void step_until_cut(FlowGraph& graph) {
  BalanceReport const& report = graph.balance_report();
  while (report.cuts == 0 && report.cut_refused.empty() && graph.steps() < 100'000)
    graph.submit_step();
}

struct OwnRecut {
  test::Fields fields;
  BalanceReport report;
  int steps = 0;
  std::int64_t most_nodes = 0;  ///< of the tiles of a rank, in the end
};

/// From tiles of which the first rank has too many.
OwnRecut recut_by_itself(FlowOptions const& options) {
  BlockGrid const grid(rock());
  Runtime const runtime("", 1);
  OwnRecut found;
  Tiling const uneven = tiling_in_shares(grid, {8, 1, 1}, 1);
  FlowGraph graph(uneven, options);
  step_until_cut(graph);
  graph.submit_steps(3);
  found.fields.states.resize(static_cast<std::size_t>(volume(rock().shape)));
  for (Measurement* const measurement : {&found.fields.last_but_one, &found.fields.last}) {
    graph.submit_step();
    graph.submit_measurement();
    *measurement = graph.take_measurement(graph.steps());
  }
  graph.visit_nodes([&](Int3 at, std::int32_t, NodeState const& state) {
    found.fields.states[linear_index(rock().shape, at)] = state;
  });
  found.report = graph.balance_report();
  found.steps = static_cast<int>(graph.steps());
  for (Tile const& tile : graph.tiling().tiles) found.most_nodes += tile.counts.nodes;
  found.most_nodes = Ranks::largest(found.most_nodes);
  return found;
}

CutAnew cut_of_rock() {
  return [](NewShares const& shares) {
    return tiling_in_shares(BlockGrid(rock()), shares.of_ranks, 2);
  };
}

TEST(RecutOverRanksByItself, HappensWhereOneHasTooMuch) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to balance with";
  FlowOptions options = test::skew_flow(Precision::single_precision, EquilibriumForm::second_order);
  options.cut_anew = cut_of_rock();
  OwnRecut const found = recut_by_itself(options);
  EXPECT_GE(found.report.cuts, 1) << found.report.cut_refused;
  EXPECT_GT(found.report.bytes_cut, 0U);
  ASSERT_FALSE(found.report.history.entries().empty());
  BalanceLook const& look = found.report.history.entries().front();
  EXPECT_EQ(look.speeds.size(), static_cast<std::size_t>(Ranks::count()));
  std::int64_t const nodes = BlockGrid(rock()).nodes();
  EXPECT_LT(found.most_nodes, nodes * 3 / 4);
  expect_same(found.fields, of_one(found.steps, options), "cut by itself");
}

TEST(RecutOverRanksByItself, IsRefusedByAllWhereOneCannot) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to balance with";
  FlowOptions options = test::skew_flow(Precision::single_precision, EquilibriumForm::second_order);
  options.cut_anew = [](NewShares const& shares) {
    Tiling tiling = cut_of_rock()(shares);
    if (Ranks::number() == 1) throw BadInput("a tile of rank 1 is too large");
    return tiling;
  };
  OwnRecut const found = recut_by_itself(options);
  EXPECT_EQ(found.report.cuts, 0);
  EXPECT_EQ(found.report.cut_refused, "a tile of rank 1 is too large");
  expect_same(found.fields, of_one(found.steps, options), "refused");
}

TEST(RecutOverRanks, IsRefusedByAllWhereOneCannotHoldItsTiles) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to refuse with";
  BlockGrid const grid(rock());
  FlowOptions const options =
      test::skew_flow(Precision::double_precision, EquilibriumForm::second_order);
  Runtime const runtime("", 1);
  Tiling const first = tiling_in_shares(grid, {1, 1, 1}, 2);
  FlowGraph graph(first, options);
  graph.submit_steps(4);
  Tiling other = tiling_in_shares(grid, {1, 2, 1}, 2);
  // As large as no memory is.
  if (Ranks::number() == 1) setenv("STARPU_LIMIT_CPU_MEM", "1", 1);
  EXPECT_THROW(graph.adopt(std::move(other)), BadInput);
  unsetenv("STARPU_LIMIT_CPU_MEM");
  graph.submit_steps(3);
  EXPECT_EQ(graph.balance_report().cuts, 0);
  EXPECT_EQ(graph.steps(), 7);
}

}  // namespace
}  // namespace tessera

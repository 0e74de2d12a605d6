// SPDX-License-Identifier: MIT
// Processes that find out by themselves that they should share a lattice otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "tests/run/recut/competitor.hpp"
#include "tests/run/recut/rock.hpp"

namespace tessera {
namespace {

FlowOptions options_of(CutAnew cut_anew) {
  FlowOptions options = test::skew_flow(Precision::single_precision, EquilibriumForm::second_order);
  options.cut_anew = std::move(cut_anew);
  return options;
}

Tiling cut_of_rock(NewShares const& shares) {
  return test::tiling_in_shares(BlockGrid(test::rock()), shares.of_ranks, 2);
}

/// All ranks: of the tiles of each.
std::vector<std::int64_t> nodes_of_ranks(FlowGraph const& graph) {
  std::int64_t nodes = 0;
  for (Tile const& tile : graph.tiling().tiles) nodes += tile.counts.nodes;
  return Ranks::all_gather(nodes);
}

/// All ranks: after two steps more, and their measurements.
test::Fields fields_two_steps_later(FlowGraph& graph) {
  test::Fields fields;
  fields.states.resize(static_cast<std::size_t>(volume(test::rock().shape)));
  for (Measurement* const measurement : {&fields.last_but_one, &fields.last}) {
    graph.submit_step();
    graph.submit_measurement();
    *measurement = graph.take_measurement(graph.steps());
  }
  graph.visit_nodes([&](Int3 at, std::int32_t, NodeState const& state) {
    fields.states[linear_index(test::rock().shape, at)] = state;
  });
  return fields;
}

struct OwnRecut {
  test::Fields fields;
  BalanceReport report;
  int steps = 0;
  std::vector<std::int64_t> nodes_before;  ///< of the ranks
  std::vector<std::int64_t> nodes;
};

/// All ranks: from tiles in these shares, until the lattice has been cut anew, or that has been
/// refused; not for ever.
OwnRecut recut_by_itself(FlowOptions const& options, std::vector<double> const& shares) {
  BlockGrid const grid(test::rock());
  OwnRecut found;
  Tiling const first = test::tiling_in_shares(grid, shares, 1);
  FlowGraph graph(first, options);
  found.nodes_before = nodes_of_ranks(graph);
  BalanceReport const& report = graph.balance_report();
  while (report.cuts == 0 && report.cut_refused.empty() && graph.steps() < 100'000) {
    graph.submit_step();
  }
  found.nodes = nodes_of_ranks(graph);
  graph.submit_steps(3);
  found.fields = fields_two_steps_later(graph);
  found.report = graph.balance_report();
  found.steps = static_cast<int>(graph.steps());
  return found;
}

TEST(RecutOverRanksByItself, HappensWhereOneHasTooMuch) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to balance with";
  FlowOptions const options = options_of(cut_of_rock);
  OwnRecut const found = [&] {
    Runtime const runtime("", 1);
    return recut_by_itself(options, {8, 1, 1});
  }();
  EXPECT_GE(found.report.cuts, 1) << found.report.cut_refused;
  EXPECT_GT(found.report.bytes_cut, 0U);
  ASSERT_FALSE(found.report.history.entries().empty());
  BalanceLook const& look = found.report.history.entries().front();
  EXPECT_EQ(look.speeds.size(), static_cast<std::size_t>(Ranks::count()));
  std::int64_t const nodes = BlockGrid(test::rock()).nodes();
  EXPECT_LT(std::ranges::max(found.nodes), nodes * 3 / 4);
  test::expect_same(found.fields, test::of_one(found.steps, options), "cut by itself");
}

TEST(RecutOverRanksByItself, HappensWhereOneSharesItsCoreWithOthers) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to balance with";
  std::vector<double> shares;
  FlowOptions const options = options_of([&](NewShares const& asked) {
    shares = asked.of_ranks;
    return cut_of_rock(asked);
  });
  OwnRecut const found = [&] {
    Runtime const runtime("", 1);
    std::optional<test::Competitor> competitor;
    if (Ranks::rank() == 1) competitor.emplace();
    return recut_by_itself(options, {1, 1, 1});
  }();
  test::expect_same(found.fields, test::of_one(found.steps, options), "cut as one is slow");
  ASSERT_GE(found.report.cuts, 1) << found.report.cut_refused;
  EXPECT_LT(shares[1], shares[0]);
  EXPECT_LT(found.nodes[1], found.nodes_before[1]);
}

TEST(RecutOverRanksByItself, IsRefusedByAllWhereOneCannot) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to balance with";
  FlowOptions const options = options_of([](NewShares const& shares) {
    Tiling tiling = cut_of_rock(shares);
    if (Ranks::rank() == 1) throw BadInput("a tile is too large");
    return tiling;
  });
  OwnRecut const found = [&] {
    Runtime const runtime("", 1);
    return recut_by_itself(options, {8, 1, 1});
  }();
  EXPECT_EQ(found.report.cuts, 0);
  EXPECT_EQ(found.report.cut_refused, "rank 1: a tile is too large");
  test::expect_same(found.fields, test::of_one(found.steps, options), "refused");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// Tiles that are cut anew while a flow runs: not a bit of it changes.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "graph/runtime/runtime.hpp"
#include "partition/lattice/block_graph.hpp"
#include "permeability/permeability_case.hpp"
#include "tests/methods/lattice/fields.hpp"

namespace tessera {
namespace {

constexpr int recut_steps = 41;

using test::rock;

/// Two parts, of which the first has its populations together, as a GPU's.
Tiling two_parts(double share, std::int32_t tiles_of_first, std::int32_t tiles_of_second,
                 Geometry const& geometry = rock()) {
  BlockGrid const grid(geometry);
  return build_tiling(
      grid,
      cut_in_two_levels(block_graph(grid), {{share, tiles_of_first}, {1 - share, tiles_of_second}}),
      {Layout::together, Layout::apart});
}

/// Each core a memory of its own.
std::vector<Domain> domain_of_each_core() { return {{.workers = {0}}, {.workers = {1}}}; }

class Recut : public testing::TestWithParam<std::tuple<Precision, EquilibriumForm>> {
 protected:
  static FlowOptions options() {
    return test::skew_flow(std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
};

Tiling small_parts(double share, std::int32_t tiles_of_first, std::int32_t tiles_of_second) {
  return two_parts(share, tiles_of_first, tiles_of_second, test::small_rock());
}

TEST_P(Recut, ChangesNotABit) {
  test::Fields expected;
  {
    Runtime const runtime("eager", 1);
    expected =
        test::fields_after(recut_steps, test::metis_tiling(test::small_rock(), 1), options());
  }
  for (int const steps_per_sweep : {1, 3}) {
    Runtime const runtime("lws", 2);
    FlowOptions how = options();
    how.domains = domain_of_each_core();
    how.steps_per_sweep = steps_per_sweep;
    Tiling const first = small_parts(0.9, 2, 3);
    BalanceReport report;
    test::Fields const fields =
        test::fields_after(recut_steps, first, how, [&](FlowGraph& graph, int count) {
          graph.adopt(small_parts(0.5, 1, 1));  // before the first step
          graph.submit_steps(7);
          graph.submit_measurement();
          graph.adopt(small_parts(0.2, 4, 9));
          graph.submit_steps(1);
          graph.move_tile(0, 1);
          graph.submit_steps(2);
          graph.adopt(test::metis_tiling(test::small_rock(), 1));
          graph.adopt(
              test::metis_tiling(test::small_rock(), 30));  // on an even step, at once again
          graph.submit_steps(10);
          graph.adopt(small_parts(0.7, 7, 2));
          graph.submit_steps(count - 20);
          EXPECT_EQ(graph.take_measurement(7).step, 7) << "taken before, read after";
          EXPECT_EQ(graph.tiling().nodes, first.nodes);
          report = graph.balance_report();
        });
    std::string const what = std::to_string(steps_per_sweep) + " steps a sweep";
    EXPECT_EQ(test::differing_voxels(fields, expected), 0) << what;
    EXPECT_TRUE(test::same_bits(fields.last_but_one, expected.last_but_one)) << what;
    EXPECT_TRUE(test::same_bits(fields.last, expected.last)) << what;
    EXPECT_EQ(report.cuts, 5);
    EXPECT_EQ(report.bytes_cut,
              5 * static_cast<std::size_t>(first.nodes) * D3Q19::size * bytes_of(how.precision));
    EXPECT_GT(report.cut_seconds, 0);
  }
}

std::string name_of_case(testing::TestParamInfo<Recut::ParamType> const& instance) {
  auto const [precision, equilibrium] = instance.param;
  char const* const names[] = {"Single", "Double", "Half"};
  return std::string(names[static_cast<int>(precision)]) +
         (equilibrium == EquilibriumForm::linear ? "Stokes" : "NavierStokes");
}

INSTANTIATE_TEST_SUITE_P(
    Flows, Recut,
    testing::Combine(testing::Values(Precision::half_storage, Precision::single_precision,
                                     Precision::double_precision),
                     testing::Values(EquilibriumForm::linear, EquilibriumForm::second_order)),
    name_of_case);

/// Steps until tiles have been cut anew, or that has been refused; for 20 seconds at most.
void step_until_cut(FlowGraph& graph) {
  auto const start = std::chrono::steady_clock::now();
  BalanceReport const& report = graph.balance_report();
  while (report.cuts == 0 && report.cut_refused.empty() &&
         std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
    graph.submit_step();
}

TEST(RecutByItself, HappensWhereWholeTilesCannotBalance) {
  Runtime const runtime("lws", 2);
  FlowOptions options = test::skew_flow(Precision::single_precision, EquilibriumForm::linear);
  options.domains = domain_of_each_core();
  std::vector<double> asked_for;
  options.cut_anew = [&](NewShares const& shares) {
    EXPECT_EQ(shares.of_ranks, std::vector<double>{1}) << "there is no other process";
    asked_for = shares.of_domains;
    return two_parts(asked_for[0], 8, 8);
  };
  Tiling const uneven = two_parts(0.9, 1, 1);
  FlowGraph graph(uneven, options);
  step_until_cut(graph);
  ASSERT_EQ(graph.balance_report().cuts, 1);
  ASSERT_EQ(asked_for.size(), 2U);
  EXPECT_GT(asked_for[0], 0.1);
  EXPECT_LT(asked_for[0], 0.85);
  EXPECT_GT(graph.tiling().tiles.size(), uneven.tiles.size());
  graph.submit_steps(3);
}

TEST(RecutByItself, IsRefusedWhereTheNewTilesCannotRun) {
  Runtime const runtime("lws", 2);
  FlowOptions options = test::skew_flow(Precision::single_precision, EquilibriumForm::linear);
  options.domains = domain_of_each_core();
  int asked = 0;
  options.cut_anew = [&](NewShares const&) -> Tiling {
    ++asked;
    throw BadInput("a tile is too large");
  };
  Tiling const uneven = two_parts(0.9, 1, 1);
  FlowGraph graph(uneven, options);
  step_until_cut(graph);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(graph.balance_report().cuts, 0);
  EXPECT_EQ(graph.balance_report().cut_refused, "a tile is too large");
}

TEST(CutAnewOf, MakesTilesOfTheSharesAskedFor) {
  Workers const workers{.cores = 2, .gpus = 2, .cores_share = 0.1};
  PermeabilityCase flow_case;
  flow_case.nodes_per_tile = 3000;
  PreparedFlow const p = prepare_flow(rock(), Axis::x, flow_case, workers);
  Tiling const tiling =
      cut_anew_of(p, p.grid(flow_case.model.lattice), p.workers, flow_case)({{1}, {0.5, 0.2, 0.3}});
  std::vector<double> shares(3), tiles(3);
  std::size_t values[2] = {};
  for (Tile const& tile : tiling.tiles) {
    auto const part = static_cast<std::size_t>(tile.part);
    shares[part] += static_cast<double>(tile.counts.nodes) / static_cast<double>(tiling.nodes);
    ++tiles[part];
    values[part / 2] = tile.population_values;
  }
  EXPECT_EQ(tiling.nodes, p.tiling.nodes);
  EXPECT_NEAR(shares[0], 0.5, 0.05);
  EXPECT_NEAR(shares[1], 0.2, 0.05);
  EXPECT_NEAR(shares[2], 0.3, 0.05);
  EXPECT_NEAR(tiles[0] / tiles[1], 2.5, 0.5) << "tiles of all GPUs are equally large";
  EXPECT_NE(values[0], 0U);
  EXPECT_NE(values[1], 0U);
}

TEST(CutAnewOf, LeavesSlabsAlone) {
  PermeabilityCase const flow_case;
  PreparedFlow p = prepare_flow(rock(), Axis::x, flow_case, {2});
  EXPECT_TRUE(cut_anew_of(p, p.grid(flow_case.model.lattice), p.workers, flow_case));
  p.levels.emplace();
  EXPECT_FALSE(cut_anew_of(p, p.grid(flow_case.model.lattice), p.workers, flow_case));
}

}  // namespace
}  // namespace tessera

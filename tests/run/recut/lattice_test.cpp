// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "graph/runtime/runtime.hpp"
#include "partition/border_cut.hpp"
#include "partition/lattice/block_grid.hpp"
#include "tests/methods/lattice/boxes.hpp"
#include "tests/methods/lattice/fields.hpp"
#include "tests/run/recut/rock.hpp"

namespace tessera {
namespace {

constexpr int recut_steps = 41;

TEST(RecutOverRanks, ChangesNotABit) {
  BlockGrid const grid(test::rock());
  for (auto const precision : {Precision::double_precision, Precision::half_storage}) {
    FlowOptions const options = test::skew_flow(precision, EquilibriumForm::second_order);
    test::Fields const expected = test::of_one(recut_steps, options);
    Runtime const runtime("", 1);
    BalanceReport report;
    test::Fields const fields = test::fields_after(
        recut_steps, test::tiling_in_shares(grid, {3, 1, 2}, 2), options,
        [&](FlowGraph& graph, int count) {
          auto const adopt = [&](std::vector<double> const& shares, int tiles,
                                 CutOfPart const& cut_part = cut_compactly) {
            graph.adopt(test::tiling_in_shares(grid, shares, tiles, cut_part));
          };
          adopt({1, 3, 1}, 1);  // before the first step
          graph.submit_steps(7);
          graph.submit_measurement();
          adopt({1, 1, 1}, 5);
          graph.submit_steps(1);
          adopt({2, 3, 4}, 1);
          adopt({5, 1, 1}, 3);  // on an even step, at once again
          graph.submit_steps(8);
          adopt({1, 1, 1}, 4, cut_border_first);
          graph.submit_steps(count - 16);
          EXPECT_EQ(graph.take_measurement(7).step, 7) << "taken before, read after";
          report = graph.balance_report();
        });
    test::expect_same(fields, expected, std::to_string(static_cast<int>(precision)));
    EXPECT_EQ(report.cuts, 5);
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
  test::Fields const fields =
      test::fields_after(flow.steps, test::tiling_in_shares(grid, {1, 1, 1}, 2), options,
                         [&](FlowGraph& graph, int count) {
                           graph.submit_steps(20);
                           graph.adopt(test::tiling_in_shares(grid, {1, 3, 2}, 1));
                           graph.submit_steps(1);
                           graph.adopt(test::tiling_in_shares(grid, {3, 1, 1}, 3));
                           graph.submit_steps(count - 21);
                         });
  if (!Ranks::is_root()) return;
  EXPECT_EQ(test::differing_voxels(fields, {expected.states, {}, {}}), 0);
  ASSERT_EQ(fields.last.wall_forces.size(), expected.measurement.wall_forces.size());
  for (std::size_t i = 0; i < fields.last.wall_forces.size(); ++i) {
    for (int a = 0; a < 3; ++a)
      EXPECT_EQ(fields.last.wall_forces[i].force[a], expected.measurement.wall_forces[i].force[a]);
  }
}

TEST(RecutOverRanks, IsRefusedByAllWhereOneCannotHoldItsTiles) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to refuse with";
  BlockGrid const grid(test::rock());
  FlowOptions const options =
      test::skew_flow(Precision::double_precision, EquilibriumForm::second_order);
  Runtime const runtime("", 1);
  Tiling const first = test::tiling_in_shares(grid, {1, 1, 1}, 2);
  FlowGraph graph(first, options);
  graph.submit_steps(4);
  Tiling other = test::tiling_in_shares(grid, {1, 2, 1}, 2);
  // As large as no memory is.
  if (Ranks::rank() == 1) setenv("STARPU_LIMIT_CPU_MEM", "1", 1);
  EXPECT_THROW(graph.adopt(std::move(other)), BadInput);
  unsetenv("STARPU_LIMIT_CPU_MEM");
  graph.submit_steps(3);
  EXPECT_EQ(graph.balance_report().cuts, 0);
  EXPECT_EQ(graph.steps(), 7);
}

}  // namespace
}  // namespace tessera

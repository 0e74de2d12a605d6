// SPDX-License-Identifier: MIT
// A flow that is saved and goes on later, on other tiles: not a bit of it changes.
#include <gtest/gtest.h>

#include <tuple>

#include "graph/runtime/runtime.hpp"
#include "tests/methods/lattice/fields.hpp"
#include "tests/methods/lattice/saved.hpp"

namespace tessera {
namespace {

constexpr int saved_steps = 31;

using test::small_rock;

class SavedFlow : public testing::TestWithParam<std::tuple<Precision, int>> {};

TEST_P(SavedFlow, GoesOnWithTheSameBitsOnOtherTiles) {
  Precision const precision = std::get<0>(GetParam());
  int const saved_at = std::get<1>(GetParam());
  FlowOptions options = test::skew_flow(precision, EquilibriumForm::second_order);
  Runtime const runtime("lws", 2);
  Tiling const one = test::metis_tiling(small_rock(), 1);
  Tiling const many = test::metis_tiling(small_rock(), 5);
  test::Fields const expected = test::fields_after(saved_steps, one, options);
  auto const saved = [&] {
    FlowGraph graph(many, options);
    graph.submit_steps(saved_at);
    return test::Saved(graph);
  }();
  for (int const steps_per_sweep : {1, 3}) {
    options.steps_per_sweep = steps_per_sweep;
    test::Fields const fields =
        test::fields_after(saved_steps, one, options, [&](FlowGraph& graph, int count) {
          graph.submit_steps(3);  // of a flow that nobody wants any more
          saved.restore(graph);
          EXPECT_EQ(graph.steps(), saved_at);
          graph.submit_steps(count - saved_at);
        });
    EXPECT_EQ(test::differing_voxels(fields, expected), 0);
    EXPECT_TRUE(test::same_bits(fields.last_but_one, expected.last_but_one));
    EXPECT_TRUE(test::same_bits(fields.last, expected.last));
  }
}

INSTANTIATE_TEST_SUITE_P(Flows, SavedFlow,
                         testing::Combine(testing::Values(Precision::half_storage,
                                                          Precision::single_precision,
                                                          Precision::double_precision),
                                          testing::Values(16, 17)));

}  // namespace
}  // namespace tessera

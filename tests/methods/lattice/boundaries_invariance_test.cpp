// SPDX-License-Identifier: MIT
// All boundary conditions together: the same bits on any tiles, in sweeps, cut anew and restored.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/methods/lattice/boxes.hpp"

namespace tessera {
namespace {

using namespace test;

TEST(Boundaries, AreTheSameToTheLastBitOnAnyTiles) {
  for (LatticeKind const lattice : {LatticeKind::d3q19, LatticeKind::d3q27}) {
    FlowModel const model{.lattice = lattice, .equilibrium = EquilibriumForm::second_order};
    Result const one = run(mixed_box(), {.model = model, .steps = 60, .tiles = 1});
    for (std::int32_t const tiles : {2, 5, 12}) {
      Result const many =
          run(mixed_box(), {.model = model, .steps = 60, .tiles = tiles, .workers = 2});
      EXPECT_EQ(differing_voxels({one.states, {}, {}}, {many.states, {}, {}}), 0) << tiles;
      ASSERT_EQ(one.measurement.wall_forces.size(), many.measurement.wall_forces.size());
      for (std::size_t i = 0; i < one.measurement.wall_forces.size(); ++i) {
        for (int a = 0; a < 3; ++a) {
          EXPECT_EQ(one.measurement.wall_forces[i].force[a],
                    many.measurement.wall_forces[i].force[a]);
          EXPECT_EQ(one.measurement.wall_forces[i].torque[a],
                    many.measurement.wall_forces[i].torque[a]);
        }
      }
    }
  }
}

TEST(Boundaries, ThatRememberOrDropAreTheSameToTheLastBitOnAnyTiles) {
  for (Box const& box : {remembering_box(), dropping_box(), grey_box()}) {
    constexpr double supply = 1e-5;
    Result const one = run(box, {.steps = 61, .tiles = 1, .wall_supply = supply});
    for (Flow flow : {Flow{.steps = 61, .tiles = 7, .workers = 2},
                      Flow{.steps = 61, .tiles = 7, .workers = 2, .cut_anew = true},
                      Flow{.steps = 61, .tiles = 7, .workers = 2, .saved = true}}) {
      flow.wall_supply = supply;
      Result const many = run(box, flow);
      EXPECT_EQ(differing_voxels({one.states, {}, {}}, {many.states, {}, {}}), 0)
          << flow.cut_anew << flow.saved;
      for (std::size_t i = 0; i < one.measurement.wall_forces.size(); ++i) {
        for (int a = 0; a < 3; ++a)
          EXPECT_EQ(one.measurement.wall_forces[i].force[a],
                    many.measurement.wall_forces[i].force[a]);
      }
    }
  }
}

TEST(Boundaries, WhatIsMeasuredInTheMiddleOfASweepIsWhatAStopWouldShow) {
  Result const through =
      run(mixed_box(),
          {.steps = 40, .tiles = 7, .workers = 2, .steps_per_sweep = 5, .measured = {20, 21, 23}});
  ASSERT_EQ(through.on_the_way.size(), 3U);
  for (Measurement const& measurement : through.on_the_way) {
    Result const stopped =
        run(mixed_box(), {.steps = static_cast<int>(measurement.step), .tiles = 1});
    EXPECT_TRUE(same_bits(measurement, stopped.measurement)) << measurement.step;
    ASSERT_EQ(measurement.wall_forces.size(), stopped.measurement.wall_forces.size());
    for (std::size_t i = 0; i < measurement.wall_forces.size(); ++i) {
      for (int a = 0; a < 3; ++a)
        EXPECT_EQ(measurement.wall_forces[i].force[a], stopped.measurement.wall_forces[i].force[a]);
    }
  }
}

TEST(Boundaries, NothingIsAtRestInTheMixedBox) {
  Result const result = run(mixed_box(), {.steps = 400, .workers = 2});
  for (NodeState const& state : result.states) {
    ASSERT_TRUE(std::isfinite(state.velocity[0]));
    ASSERT_LT(std::abs(state.density_shift), 0.2);
  }
}

}  // namespace
}  // namespace tessera

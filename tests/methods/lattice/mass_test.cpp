// SPDX-License-Identifier: MIT
// Nothing comes and nothing goes: no step may make or lose mass.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/generate.hpp"
#include "graph/runtime/runtime.hpp"
#include "tests/methods/lattice/fields.hpp"

namespace tessera {
namespace {

/// |mean density - 1| after 10 000 steps among spheres, on three tiles.
double drift(FlowOptions const& options, Int3 shape = {30, 20, 8}) {
  Geometry const geometry = overlapping_spheres(shape, 4, 0.5, 3).geometry;
  Measurement const last =
      test::fields_after(10'000, test::metis_tiling(geometry, 3), options).last;
  EXPECT_GT(std::abs(last.total.momentum[0]), 0);
  return std::abs(last.total.density_shift) / last.total.nodes;
}

TEST(Mass, StaysWithinRoundingOverTenThousandSteps) {
  Runtime const runtime;
  for (EquilibriumForm const equilibrium :
       {EquilibriumForm::linear, EquilibriumForm::second_order}) {
    FlowOptions const options = test::skew_flow(Precision::double_precision, equilibrium);
    EXPECT_LE(drift(options), 1e-12);
  }
}

TEST(Mass, StaysInSinglePrecisionThanksToTheShift) {
  // Unshifted, a population near 1/18 has a last digit of 4e-9, and the drift would be of that
  // order at least.
  Runtime const runtime;
  for (EquilibriumForm const equilibrium : {EquilibriumForm::linear, EquilibriumForm::second_order})
    EXPECT_LE(drift(test::skew_flow(Precision::single_precision, equilibrium)), 1e-9);
}

TEST(Mass, DriftsByRoundingInHalfPrecision) {
  Runtime const runtime;
  // Roundings of many nodes cancel: the bound is of this box.
  for (EquilibriumForm const equilibrium : {EquilibriumForm::linear, EquilibriumForm::second_order})
    EXPECT_LE(drift(test::skew_flow(Precision::half_storage, equilibrium), {32, 24, 20}), 1.1e-8);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// Closed pockets carry no flow, only sloshing, and are left out. The flow must not notice.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "geometry/connectivity.hpp"
#include "geometry/generate.hpp"
#include "graph/runtime/runtime.hpp"
#include "tests/methods/lattice/fields.hpp"
#include "tests/methods/lattice/images.hpp"

namespace tessera {
namespace {

/// Superficial momentum along x, mean of two steps, as PermeabilityRun takes it.
double two_step_mean(test::Fields const& fields, double force) {
  BlockSums const& even = fields.last_but_one.total;
  BlockSums const& odd = fields.last.total;
  return 0.5 * (even.momentum[0] + odd.momentum[0]) - 0.5 * force * odd.nodes;
}

void expect_pockets_do_not_matter(Geometry const& geometry, int steps, double tolerance) {
  PoreComponents const components(geometry, Links::faces_and_edges);
  Geometry kept = geometry;
  components.close_isolated(kept, Axis::x);
  ASSERT_LT(kept.pore_voxels(), geometry.pore_voxels()) << "no pockets: the test says nothing";
  ASSERT_GT(kept.pore_voxels(), 0);

  FlowOptions const options =
      test::skew_flow(Precision::double_precision, EquilibriumForm::linear, 0.6);
  test::Fields const with = test::fields_after(steps, test::metis_tiling(geometry, 4), options);
  test::Fields const without = test::fields_after(steps, test::metis_tiling(kept, 4), options);
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < kept.pore.size(); ++i) {
    if (kept.pore[i] == 0) continue;
    // Bits, not values. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (std::memcmp(&with.states[i], &without.states[i], sizeof(NodeState)) != 0) ++differing;
  }
  EXPECT_EQ(differing, 0) << "pores that lead through";
  double const force = options.parameters.force[0];
  EXPECT_NEAR(two_step_mean(with, force) / two_step_mean(without, force), 1, tolerance);
}

TEST(Pockets, LeaveTheFlowAroundThemAloneBitForBit) {
  Runtime const runtime;
  expect_pockets_do_not_matter(overlapping_spheres({48, 40, 32}, 5, 0.12, 11).geometry, 1000, 1e-6);
}

TEST(LongPockets, OfBereaLeaveTheFlowAroundThemAloneBitForBit) {
  TESSERA_DATA_OR_SKIP(path, "berea_100_u8.raw.gz");
  Runtime const runtime;
  Geometry geometry = test::cubic_image(path, 100);
  geometry.periodic = {true, true, true};
  expect_pockets_do_not_matter(geometry, 3000, 1e-6);
}

}  // namespace
}  // namespace tessera

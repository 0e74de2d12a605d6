// SPDX-License-Identifier: MIT
// What populations stored in 16 bits are good for. The bounds are what was measured, on processors
// with and without fused multiplication and addition, and half as much again: docs/method.md,
// "Precision".
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/generate.hpp"
#include "permeability/flows/permeability_run.hpp"
#include "tests/methods/lattice/flow.hpp"
#include "tests/methods/lattice/images.hpp"

namespace tessera {
namespace {

/// A periodic flow stored in 16 bits, after a fixed number of steps.
struct HalfFlow {
  double k;
  double balance;  ///< drag over force, less 1
  double bound;    ///< what the command says that k may be off by
};

HalfFlow half_flow(Geometry const& image, Axis axis, std::int64_t steps,
                   PermeabilityCase flow_case = {}) {
  flow_case.setup = FlowSetup::periodic;
  flow_case.precision = Precision::half_storage;
  flow_case.tolerance = 1e-12;  // never met
  flow_case.max_steps = steps;
  flow_case.window = 96;  // k is measured every 100 steps then, which takes less than every 20
  PreparedFlow const preparation = prepare_flow(image, axis, flow_case, {2});
  PermeabilityPoint const last = PermeabilityRun(preparation, flow_case).run().last;
  double const mean_pore_speed = last.mean_velocity[index_of(axis)] *
                                 static_cast<double>(volume(image.shape)) / last.sample_nodes;
  return {last.k_lattice, last.force_balance - 1,
          rounding_error(Precision::half_storage, mean_pore_speed, preparation.body_force,
                         static_cast<double>(image.shape[axis]))};
}

/// As a test of its own says: sphere_array_test.cpp, berea_test.cpp, plates_test.cpp.
double error(HalfFlow const& flow, double exact) { return std::abs(flow.k / exact - 1); }

TEST(Half, IsGoodToTwoTenThousandthsAmongSpheres) {
  Runtime const runtime;
  HalfFlow const wide = half_flow(sphere_array(SphereLattice::sc, 32, 0.216), Axis::x, 2000);
  EXPECT_LE(error(wide, 19.06757213), 1.1e-4);
  HalfFlow const narrow = half_flow(sphere_array(SphereLattice::sc, 32, 0.5236), Axis::x, 900);
  EXPECT_LE(error(narrow, 2.459920336), 2.4e-4);
}

TEST(Half, IsGoodToHalfAHundredthInRock) {
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  Geometry const image = test::cubic_image(path, 40);
  constexpr std::array exact{7.384392326e-4, 3.218229744e-2, 1.792845636e-2};
  constexpr std::array bounds{4.9e-3, 6.1e-4, 6.0e-4};
  for (Axis const axis : all_axes) {
    HalfFlow const flow = half_flow(image, axis, 1500);
    EXPECT_LE(error(flow, exact[index_of(axis)]), bounds[index_of(axis)]) << name_of(axis);
    EXPECT_LE(bounds[index_of(axis)], flow.bound) << name_of(axis);
  }
}

TEST(LongHalf, IsGoodToHalfAHundredthInRock) {
  TESSERA_DATA_OR_SKIP(path, "berea_100_u8.raw.gz");
  Runtime const runtime;
  Geometry const image = test::cubic_image(path, 100);
  constexpr std::array exact{0.0258903746, 0.0456515, 0.0443749};
  constexpr std::array bounds{4.5e-4, 1.9e-3, 5.7e-3};
  for (Axis const axis : all_axes) {
    HalfFlow const flow = half_flow(image, axis, 6000);
    EXPECT_LE(error(flow, exact[index_of(axis)]), bounds[index_of(axis)]) << name_of(axis);
  }
}

TEST(Half, DoesNotDependOnTheForceAsLongAsItsNumbersAreNormal) {
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  Geometry const image = test::cubic_image(path, 40);
  for (double const force : {1e-8, 1e-5, 1e-2}) {
    PermeabilityCase flow_case;
    flow_case.body_force = force;
    EXPECT_LE(error(half_flow(image, Axis::y, 1000, flow_case), 3.218229744e-2), 7e-4) << force;
  }
}

TEST(Half, StandsStillTooEarlyBetweenPlatesAndItsDragSaysSo) {
  // What the force adds in a step is less than half a last digit of a population.
  Runtime const runtime;
  constexpr int gap = 30;
  Geometry const image = plates(gap, 1, Axis::y, 4);
  double const exact = image.porosity() / 2 * (gap * gap + 0.5) / 6;  // Lambda = 3/16
  HalfFlow const flow = half_flow(image, Axis::x, 5000);
  EXPECT_LE(error(flow, exact), 9e-2);
  EXPECT_GE(error(flow, exact), 4e-2);
  EXPECT_LE(flow.balance, -3e-2);
  EXPECT_LE(error(flow, exact), flow.bound);
}

TEST(Half, AtAHighViscosityLosesTheVelocityUnderThePressureInTightRock) {
  // Nothing in the flow tells of it but the size of its velocities.
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  Runtime const runtime;
  PermeabilityCase flow_case;
  flow_case.relaxation_time = 1.0;
  HalfFlow const flow = half_flow(test::cubic_image(path, 40), Axis::x, 6000, flow_case);
  EXPECT_GE(error(flow, 7.384392326e-4), 0.1);
  EXPECT_LE(std::abs(flow.balance), 1e-4);
  EXPECT_LE(error(flow, 7.384392326e-4), flow.bound);
}

}  // namespace
}  // namespace tessera

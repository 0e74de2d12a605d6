// SPDX-License-Identifier: MIT
// Parallel plates: the permeability that half-way bounce-back and TRT give is known to rounding.
#include <gtest/gtest.h>

#include "geometry/generate.hpp"
#include "tests/methods/lattice/flow.hpp"

namespace tessera {
namespace {

constexpr int plate_gap = 11;

/// k = (phi/2) [(H^2 + 1/2)/6 + (4 Lambda/3 - 1/4)] for a gap of H nodes: the plain mean over nodes
/// of the discrete solution (Ginzburg & d'Humieres, Phys. Rev. E 68 (2003) 066614).
double exact(double porosity, double magic) {
  return porosity / 2 * ((plate_gap * plate_gap + 0.5) / 6 + (4 * magic / 3 - 0.25));
}

void expect_exact(Axis flow_axis, Axis normal, PermeabilityCase const& flow_case, double magic) {
  Geometry const geometry = plates(plate_gap, 1, normal, 4);
  PermeabilityOutcome const result = test::flow(geometry, flow_axis, flow_case);
  EXPECT_EQ(result.end, RunEnd::settled);
  EXPECT_NEAR(result.last.k_lattice / exact(geometry.porosity(), magic), 1, 1e-9)
      << "flow along " << name_of(flow_axis) << ", plates normal to " << name_of(normal)
      << ", Lambda " << magic << ", tau " << *flow_case.relaxation_time << ", steps "
      << result.steps;
}

TEST(Plates, HaveTheDiscretePermeabilityForEveryMagicNumberAndRelaxationTime) {
  Runtime const runtime;
  for (double const magic : {1.0 / 6, 3.0 / 16, 0.25, 1.0}) {
    for (double const tau : {0.6, 1.5}) {
      PermeabilityCase flow_case = test::double_case();
      flow_case.magic = magic;
      flow_case.relaxation_time = tau;
      expect_exact(Axis::x, Axis::y, flow_case, magic);
    }
  }
}

TEST(Plates, HaveItAlongEveryAxisBetweenWallsOfEveryDirection) {
  Runtime const runtime;
  for (Axis const flow_axis : all_axes) {
    for (Axis const normal : all_axes) {
      if (flow_axis == normal) continue;
      PermeabilityCase flow_case = test::double_case();
      flow_case.relaxation_time = 1.5;
      expect_exact(flow_axis, normal, flow_case, flow_case.magic);
    }
  }
}

TEST(Plates, UnderBgkHaveTheMagicNumberThatFollowsFromTheRelaxationTime) {
  Runtime const runtime;
  for (double const tau : {0.6, 0.8, 1.0, 1.5}) {
    PermeabilityCase flow_case = test::double_case();
    flow_case.model.collision = CollisionOperator::bgk;
    flow_case.magic = 17;  // must not matter
    flow_case.relaxation_time = tau;
    expect_exact(Axis::x, Axis::y, flow_case, (tau - 0.5) * (tau - 0.5));
  }
}

TEST(Plates, DoNotNoticeInertia) {
  // Nothing is carried along by a flow that is the same all along: Navier-Stokes gives the same k
  // up to terms of the order of the Mach number squared.
  Runtime const runtime;
  PermeabilityCase flow_case = test::double_case();
  flow_case.model.equilibrium = EquilibriumForm::second_order;
  flow_case.relaxation_time = 1.0;
  expect_exact(Axis::x, Axis::y, flow_case, flow_case.magic);
}

}  // namespace
}  // namespace tessera

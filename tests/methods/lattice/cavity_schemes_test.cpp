// SPDX-License-Identifier: MIT
// The cavity with a lid against the reference of the two schemes of Obrecht, Kuznik, Tourancheau,
// Roux, Comput. Math. Appl. 61 (2011) 3628: LBGK and on-grid bounce-back; many relaxation times and
// mid-grid bounce-back. Where the paper can be read in two ways, both.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/methods/lattice/boxes.hpp"
#include "tests/reference/cavity.hpp"

namespace tessera {
namespace {

using namespace test;
using reference::ReversedCavity;
using reference::SplitCavity;

/// Uneven, and of several blocks along each axis.
constexpr Int3 cavity_shape{34, 17, 18};
constexpr double lid_speed = 0.1;
constexpr double cavity_tau = 0.56;  // Re = 85
constexpr int cavity_steps = 120;

/// Rates of d'Humieres, Ginzburg, Krafczyk, Lallemand, Luo, Phil. Trans. R. Soc. A 360 (2002) 437.
constexpr MrtRates<double> published{.shear = 1 / cavity_tau,
                                     .normal = 1 / cavity_tau,
                                     .bulk = 1.19,
                                     .energy_squared = 1.4,
                                     .energy_flux = 1.2,
                                     .fourth_stress = 1.4,
                                     .third = 1.98};

BoundaryCondition condition(BoundaryKind kind, bool moves) {
  BoundaryCondition condition{.kind = kind};
  if (moves) condition.velocity = [](Int3) { return Velocity{lid_speed, 0, 0}; };
  return condition;
}

Box cavity(BoundaryKind walls, BoundaryKind lid) {
  Box box{cavity_shape};
  for (std::size_t face = 0; face < 6; ++face)
    box.at_face(face, condition(face == 3 ? lid : walls, face == 3));
  return box;
}

bool at_border(Int3 at) {
  bool border = false;
  for (Axis a : all_axes) border = border || at[a] == 0 || at[a] == cavity_shape[a] - 1;
  return border;
}

/// All voxels at the border are solid, as full-way walls have them.
Box cavity_of_solid_voxels() {
  Box box{cavity_shape};
  box.periodic = {};
  std::uint8_t const wall = box.add(condition(BoundaryKind::full_way_wall, false));
  std::uint8_t const lid = box.add(condition(BoundaryKind::full_way_wall, true));
  std::vector<std::uint8_t> of_voxel(static_cast<std::size_t>(volume(box.shape)), wall);
  for (Int3 at{1, cavity_shape.y - 1, 1}; at.z < cavity_shape.z - 1; ++at.z) {
    for (at.x = 1; at.x < cavity_shape.x - 1; ++at.x) of_voxel[linear_index(box.shape, at)] = lid;
  }
  box.boundaries.of_voxel = VoxelNumbers(box.shape, of_voxel);
  return box;
}

Flow lbgk() {
  return {
      .model = {.collision = CollisionOperator::bgk, .equilibrium = EquilibriumForm::second_order},
      .tau = cavity_tau,
      .steps = cavity_steps};
}

Flow mrt() {
  Flow flow = lbgk();
  flow.model.collision = CollisionOperator::mrt;
  flow.change_rates = [](FlowParameters& p) {
    p.bulk = published.bulk;
    p.energy_squared = published.energy_squared;
    p.energy_flux = published.energy_flux;
    p.fourth_stress = published.fourth_stress;
    p.third = published.third;
  };
  return flow;
}

/// How far a number in single precision is from what it should be, beyond its rounding.
double beyond_rounding(float found, double exact) {
  float const size = std::abs(found);
  float const next = std::nextafter(size, std::numeric_limits<float>::infinity());
  return std::abs(static_cast<double>(found) - exact) - 0.5 * static_cast<double>(next - size);
}

/// On cores, or on a GPU.
class CavitySchemes : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && Runtime::gpus_present() == 0) GTEST_SKIP() << "no GPU here";
  }

  /// Density and velocity of each node, which a flow hands out rounded to single precision. Some of
  /// so many lie where the rounding changes: a lid faster by 1e-11 of its speed, 1e-12, is noticed.
  template <class Reference>
  static void expect_same(Box const& box, Flow flow, Reference& reference) {
    for (int i = 0; i < cavity_steps; ++i) reference.step();
    for (std::int32_t const tiles : {1, 7}) {
      flow.tiles = tiles;
      flow.workers = 2;
      flow.on_gpu = GetParam();
      Result const result = run(box, flow);
      double worst = 0;
      double fastest = 0;
      double mass = 0;
      for (Int3 at; at.z < box.shape.z; ++at.z) {
        for (at.y = 0; at.y < box.shape.y; ++at.y) {
          for (at.x = 0; at.x < box.shape.x; ++at.x) {
            if (reference.solid(at)) continue;
            NodeState const& found = result.at(box.shape, at);
            auto const& exact = reference.state(at);
            double const differences[] = {beyond_rounding(found.density_shift, exact.density_shift),
                                          beyond_rounding(found.velocity[0], exact.velocity[0]),
                                          beyond_rounding(found.velocity[1], exact.velocity[1]),
                                          beyond_rounding(found.velocity[2], exact.velocity[2])};
            for (double const difference : differences) {
              ASSERT_TRUE(std::isfinite(difference));
              worst = std::max(worst, difference);
            }
            fastest = std::max(fastest, std::abs(exact.velocity[1]));
            mass += exact.density_shift;
          }
        }
      }
      EXPECT_LT(worst, 1e-14) << tiles;
      EXPECT_GT(fastest, 0.1 * lid_speed);
      EXPECT_NEAR(result.measurement.total.density_shift, mass, 1e-12) << tiles;
    }
  }
};

TEST_P(CavitySchemes, TheSplitSchemeWithSolidBorderNodesIsThatOfFullWayWalls) {
  SplitCavity reference(cavity_shape, lid_speed, reference::lbgk_relaxation(cavity_tau),
                        SplitCavity::BorderNodes::solid);
  Flow flow = lbgk();
  flow.solid = at_border;
  expect_same(cavity_of_solid_voxels(), flow, reference);
}

TEST_P(CavitySchemes, TheSplitSchemeWhoseBorderNodesCollideIsThatOfOnNodeWalls) {
  SplitCavity reference(cavity_shape, lid_speed, reference::lbgk_relaxation(cavity_tau),
                        SplitCavity::BorderNodes::collide);
  expect_same(cavity(BoundaryKind::on_node_wall, BoundaryKind::on_node_wall), lbgk(), reference);
}

TEST_P(CavitySchemes, TheReversedSchemeIsThatOfHalfWayWalls) {
  ReversedCavity reference(cavity_shape, lid_speed, reference::mrt_relaxation(published),
                           ReversedCavity::Wall::half_way);
  expect_same(cavity(BoundaryKind::wall, BoundaryKind::moving_wall), mrt(), reference);
}

TEST_P(CavitySchemes, TheReversedSchemeWithWallsInItsNodesIsThatOfOnNodeWalls) {
  ReversedCavity reference(cavity_shape, lid_speed, reference::mrt_relaxation(published),
                           ReversedCavity::Wall::in_nodes);
  expect_same(cavity(BoundaryKind::on_node_wall, BoundaryKind::on_node_wall), mrt(), reference);
}

INSTANTIATE_TEST_SUITE_P(Cores, CavitySchemes, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Gpu, CavitySchemes, testing::Values(true));

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// Boundary conditions against exact solutions, on several tiles.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "tests/methods/lattice/boxes.hpp"

namespace tessera {
namespace {

using namespace test;

/// Eighteen times the slowest mode's time between walls 12 voxels apart at a viscosity of 0.1.
constexpr int settled_steps = 2600;

TEST(Boundaries, CouetteFlowBetweenHalfWayWallsIsExact) {
  constexpr double speed = 0.05;
  Box box{{40, 12, 3}};
  box.at_face(2, {});
  box.at_face(3, moving({speed, 0, 0.5 * speed}));
  for (LatticeKind const lattice : {LatticeKind::d3q15, LatticeKind::d3q19, LatticeKind::d3q27}) {
    Result const result =
        run(box, {.model = {.lattice = lattice, .equilibrium = EquilibriumForm::second_order},
                  .steps = settled_steps});
    for (std::int64_t y = 0; y < 12; ++y) {
      NodeState const& state = result.at(box.shape, {35, y, 1});
      double const exact = speed * (static_cast<double>(y) + 0.5) / 12;
      EXPECT_NEAR(state.velocity[0], exact, 1e-6 * speed);
      EXPECT_NEAR(state.velocity[2], 0.5 * exact, 1e-6 * speed);
      EXPECT_NEAR(state.velocity[1], 0, 1e-9);
    }
  }
}

TEST(Boundaries, CouetteFlowIsExactWhereverTheInterpolatedWallsStand) {
  constexpr double speed = 0.05;
  for (double const fraction : {0.1, 0.4, 0.6, 0.9}) {
    Box box{{12, 10, 1}};
    auto const at = [=](Int3, Int3) { return fraction; };
    box.at_face(2, {.kind = BoundaryKind::interpolated_wall, .link_fraction = at});
    box.at_face(3, {.kind = BoundaryKind::interpolated_wall,
                    .velocity =
                        [](Int3) {
                          return Velocity{speed, 0, 0};
                        },
                    .link_fraction = at});
    Result const result =
        run(box, {.model = {.lattice = LatticeKind::d2q9, .equilibrium = EquilibriumForm::linear},
                  .steps = settled_steps});
    for (std::int64_t y = 0; y < 10; ++y) {
      double const exact = speed * (static_cast<double>(y) + fraction) / (9 + 2 * fraction);
      EXPECT_NEAR(result.at(box.shape, {5, y, 0}).velocity[0], exact, 2e-6 * speed) << fraction;
    }
  }
}

TEST(Boundaries, CouetteFlowIsExactBetweenTheCentresOfOnNodeWalls) {
  constexpr double speed = 0.05;
  for (LatticeKind const lattice : {LatticeKind::d2q9, LatticeKind::d3q19, LatticeKind::d3q27}) {
    Box box{{12, 11, 1}};
    box.at_face(2, {.kind = BoundaryKind::on_node_wall});
    box.at_face(3, {.kind = BoundaryKind::on_node_wall, .velocity = [](Int3) {
                      return Velocity{speed, 0, 0};
                    }});
    Result const result =
        run(box, {.model = {.lattice = lattice, .equilibrium = EquilibriumForm::linear},
                  .steps = settled_steps});
    for (std::int64_t y = 0; y < 11; ++y) {
      EXPECT_NEAR(result.at(box.shape, {5, y, 0}).velocity[0], speed * static_cast<double>(y) / 10,
                  1e-6 * speed)
          << y;
    }
  }
}

/// Between full-way walls, whose voxels are solid: a fluid of 10 layers.
Box full_way_channel(double speed) {
  Box box{{40, 12, 3}};
  std::uint8_t const resting = box.add({.kind = BoundaryKind::full_way_wall});
  std::uint8_t const moved =
      box.add({.kind = BoundaryKind::full_way_wall, .velocity = [speed](Int3) {
                 return Velocity{speed, 0, 0.5 * speed};
               }});
  std::vector<std::uint8_t> of_voxel(static_cast<std::size_t>(volume(box.shape)));
  for (Int3 at; at.z < box.shape.z; ++at.z) {
    for (at.x = 0; at.x < box.shape.x; ++at.x) {
      of_voxel[linear_index(box.shape, {at.x, 0, at.z})] = resting;
      of_voxel[linear_index(box.shape, {at.x, 11, at.z})] = moved;
    }
  }
  box.boundaries.of_voxel = VoxelNumbers(box.shape, of_voxel);
  return box;
}
bool full_way_voxel(Int3 at) { return at.y == 0 || at.y == 11; }

TEST(Boundaries, CouetteFlowIsExactBetweenTheFacesOfFullWayWalls) {
  constexpr double speed = 0.05;
  Box const box = full_way_channel(speed);
  Result const result = run(box, {.model = {.equilibrium = EquilibriumForm::linear},
                                  .steps = settled_steps,
                                  .solid = full_way_voxel});
  for (std::int64_t y = 1; y < 11; ++y) {
    double const exact = speed * (static_cast<double>(y) - 0.5) / 10;
    EXPECT_NEAR(result.at(box.shape, {35, y, 1}).velocity[0], exact, 1e-6 * speed) << y;
    EXPECT_NEAR(result.at(box.shape, {35, y, 1}).velocity[2], 0.5 * exact, 1e-6 * speed) << y;
  }
}

TEST(Boundaries, ADropOfTheDensityDrivesAFlowAsAForceDoes) {
  constexpr double drop = 1e-4, tau = 0.9;
  for (LatticeKind const lattice : {LatticeKind::d2q9, LatticeKind::d3q19, LatticeKind::d3q27}) {
    for (auto const form : {EquilibriumForm::linear, EquilibriumForm::second_order}) {
      Box box{{48, 12, 1}};
      box.at_face(2, {});
      box.at_face(3, {});
      Flow flow{.model = {.lattice = lattice, .equilibrium = form}, .tau = tau, .steps = 2000};
      flow.force[0] = drop / 3 / 48;
      Result const forced = run(box, flow);
      flow.force[0] = 0;
      box.boundaries.density_drop[0] = drop;
      Result const dropped = run(box, flow);
      for (std::int64_t y = 0; y < 12; ++y) {
        double const exact = forced.at(box.shape, {0, y, 0}).velocity[0];
        // Velocities of the second-order equilibrium are momenta over a density that varies.
        for (std::int64_t const x : {0, 20, 47})
          EXPECT_NEAR(dropped.at(box.shape, {x, y, 0}).velocity[0] / exact, 1, 2e-4) << x;
      }
      auto const gradient = static_cast<double>(dropped.at(box.shape, {40, 6, 0}).density_shift -
                                                dropped.at(box.shape, {8, 6, 0}).density_shift);
      EXPECT_NEAR(gradient / (-drop * 32 / 48), 1, 1e-3);
    }
  }
}

/// What is left of a vortex, in a stream that takes it out of the box: kinetic energy of the
/// deviation over that at first.
double energy_left(BoundaryKind outlet) {
  constexpr double stream = 0.08, swirl = 0.02, radius = 5;
  auto const velocity = [](Int3 at) {
    double const x = static_cast<double>(at.x) - 60.5, y = static_cast<double>(at.y) - 19.5;
    double const v = swirl * std::exp(-(x * x + y * y) / (2 * radius * radius)) / radius;
    return Velocity{stream - v * y, v * x, 0};
  };
  Box box{{90, 40, 1}};
  box.at_face(0, {.kind = BoundaryKind::regularised_velocity, .velocity = [](Int3) {
                    return Velocity{stream, 0, 0};
                  }});
  box.at_face(1, {.kind = outlet});
  auto const energy = [&](auto const& velocity_at) {
    double sum = 0;
    for (Int3 at; at.y < 40; ++at.y) {
      for (at.x = 0; at.x < 90; ++at.x) {
        auto const u = velocity_at(at);
        sum += (u[0] - stream) * (u[0] - stream) + u[1] * u[1];
      }
    }
    return sum;
  };
  Result const result =
      run(box, {.model = {.lattice = LatticeKind::d2q9,
                          .collision = CollisionOperator::trt,
                          .equilibrium = EquilibriumForm::second_order},
                .tau = 0.52,
                .steps = 1000,
                .initial = [&](Int3 at) {
                  Velocity const u = velocity(at);
                  return DensityAndVelocity{.density_shift = 0, .velocity = {u[0], u[1], u[2]}};
                }});
  return energy([&](Int3 at) { return result.at(box.shape, at).velocity; }) / energy(velocity);
}

TEST(Boundaries, AVortexLeavesThroughAnOutflow) {
  double const convective = energy_left(BoundaryKind::convective_outflow);
  EXPECT_LT(convective, 0.01);
  EXPECT_LT(convective, energy_left(BoundaryKind::regularised_density));
}

TEST(Boundaries, SlipIsTheMiddleOfAWiderChannel) {
  Box half{{40, 8, 5}};
  half.at_face(2, {});
  half.at_face(3, {.kind = BoundaryKind::slip});
  Box whole{{40, 16, 5}};
  whole.at_face(2, {});
  whole.at_face(3, {});
  Flow const flow{.force = {1e-5, 0, 2e-6}, .steps = 400};
  Result const a = run(half, flow);
  Result const b = run(whole, flow);
  for (std::int64_t y = 0; y < 8; ++y) {
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(a.at(half.shape, {33, y, 2}).velocity[c],
                  b.at(whole.shape, {33, y, 2}).velocity[c], 1e-9);
  }
}

/// Between plates along x, driven by what is said at its ends.
Box driven_channel(BoundaryCondition inlet, BoundaryCondition outlet) {
  Box box{{48, 16, 1}};
  box.at_face(0, std::move(inlet));
  box.at_face(1, std::move(outlet));
  box.at_face(2, {});
  box.at_face(3, {});
  return box;
}

/// Fifteen times what the profile takes to settle; eight times what sound takes to die away.
constexpr int driven_steps = 3000;

class DrivenChannel : public testing::TestWithParam<std::tuple<LatticeKind, BoundaryKind>> {};

TEST_P(DrivenChannel, HasPoiseuillesProfileBetweenTwoDensities) {
  auto const [lattice, kind] = GetParam();
  constexpr double difference = 2e-4;
  Box const box =
      driven_channel({.kind = kind, .density = [](Int3) { return 1 + 0.5 * difference; }},
                     {.kind = kind, .density = [](Int3) { return 1 - 0.5 * difference; }});
  Flow const flow{.model = {.lattice = lattice, .equilibrium = EquilibriumForm::linear},
                  .tau = 0.9,
                  .steps = driven_steps};
  Result const result = run(box, flow);
  double gradient = difference / 3 / 47;
  if (kind == BoundaryKind::anti_bounce_back) {
    // It lets no shear stress through: the profile develops behind it.
    auto const density = [&](std::int64_t x) {
      return static_cast<double>(result.at(box.shape, {x, 8, 0}).density_shift);
    };
    gradient = (density(16) - density(32)) / 3 / 16;
  }
  for (std::int64_t y = 0; y < 16; ++y) {
    double const h = static_cast<double>(y) + 0.5;
    double const exact = gradient / (2 * (0.9 - 0.5) / 3) * h * (16 - h);
    EXPECT_NEAR(result.at(box.shape, {24, y, 0}).velocity[0] / exact, 1, 0.005) << y;
  }
}

TEST_P(DrivenChannel, IsAtRestWhereAForceBalancesItsDensities) {
  auto const [lattice, kind] = GetParam();
  constexpr double difference = 2e-4;
  Box const box =
      driven_channel({.kind = kind, .density = [](Int3) { return 1 + 0.5 * difference; }},
                     {.kind = kind, .density = [](Int3) { return 1 - 0.5 * difference; }});
  // Anti-bounce-back holds the density half a voxel outside of the nodes, the others at them.
  double const length = kind == BoundaryKind::anti_bounce_back ? 48 : 47;
  Flow const flow{.model = {.lattice = lattice, .equilibrium = EquilibriumForm::linear},
                  .force = {-difference / 3 / length, 0, 0},
                  .steps = 6000};
  Result const result = run(box, flow);
  for (NodeState const& state : result.states) EXPECT_NEAR(state.velocity[0], 0, 1e-10);
}

TEST_P(DrivenChannel, KeepsTheProfileOfItsInlet) {
  auto const [lattice, kind] = GetParam();
  if (kind == BoundaryKind::anti_bounce_back) GTEST_SKIP() << "says no velocity";
  BoundaryKind const inlet = kind == BoundaryKind::zou_he_density
                                 ? BoundaryKind::zou_he_velocity
                                 : BoundaryKind::regularised_velocity;
  auto const profile = [](Int3 at) {
    double const h = static_cast<double>(at.y) + 0.5;
    return Velocity{1e-3 * 4 * h * (16 - h) / 256, 0, 0};
  };
  Box const box = driven_channel({.kind = inlet, .velocity = profile}, {.kind = kind});
  Result const result =
      run(box, {.model = {.lattice = lattice, .equilibrium = EquilibriumForm::second_order},
                .tau = 0.9,
                .steps = driven_steps});
  for (std::int64_t y = 0; y < 16; ++y)
    EXPECT_NEAR(result.at(box.shape, {24, y, 0}).velocity[0], profile({0, y, 0})[0], 5e-6) << y;
}

INSTANTIATE_TEST_SUITE_P(Sets, DrivenChannel,
                         testing::Combine(testing::Values(LatticeKind::d2q9, LatticeKind::d3q19,
                                                          LatticeKind::d3q27),
                                          testing::Values(BoundaryKind::zou_he_density,
                                                          BoundaryKind::regularised_density,
                                                          BoundaryKind::anti_bounce_back)));

TEST(Boundaries, TheForceOnTheWallsIsWhatDrivesTheFlow) {
  Box box{{24, 12, 8}};
  for (std::size_t face : {2U, 3U}) box.at_face(face, {.measure_force = true});
  Flow const flow{.force = {1e-5, 0, 0}, .steps = settled_steps};
  Result const result = run(box, flow);
  ASSERT_EQ(result.measurement.wall_forces.size(), 3U);
  double const driving = 1e-5 * 24 * 12 * 8;
  for (std::size_t face : {1U, 2U}) {
    EXPECT_NEAR(result.measurement.wall_forces[face].force[0] / (0.5 * driving), 1, 1e-6);
    EXPECT_NEAR(result.measurement.wall_forces[face].force[2], 0, 1e-12);
  }
}

TEST(Boundaries, WhatNoFluidTouchesFeelsNothing) {
  Box box{{24, 12, 8}};
  box.at_face(2, {.measure_force = true});
  box.at_face(3, {});
  std::uint8_t const last = box.add({.measure_force = true});
  Result const result = run(box, {.force = {1e-5, 0, 0}, .steps = 10});
  ASSERT_EQ(result.measurement.wall_forces.size(), 4U);
  EXPECT_GT(result.measurement.wall_forces[1].force[0], 0);
  for (double const f : result.measurement.wall_forces[last].force) EXPECT_EQ(f, 0);
}

TEST(Boundaries, AnOscillatingForceDrivesWomersleysFlow) {
  constexpr double width = 24, period = 2400, amplitude = 1e-6, tau = 0.8;
  double const omega = 2 * std::numbers::pi / period;
  Box box{{12, 24, 1}};
  box.at_face(2, {});
  box.at_face(3, {});
  int const steps = 2 * static_cast<int>(period) + 700;  // a period is four viscous times
  Flow flow{.model = {.lattice = LatticeKind::d2q9, .equilibrium = EquilibriumForm::linear},
            .tau = tau,
            .steps = steps};
  flow.values_at = [=](std::int64_t step) {
    StepValues values;
    values.force[0] = amplitude * std::cos(omega * static_cast<double>(step + 1));
    return values;
  };
  Result const result = run(box, flow);
  double const nu = (tau - 0.5) / 3;
  std::complex<double> const i(0, 1);
  std::complex<double> const lambda = std::sqrt(i * omega / nu);
  double largest = 0;
  double worst = 0;
  for (std::int64_t y = 0; y < 24; ++y) {
    double const h = static_cast<double>(y) + 0.5 - 0.5 * width;
    std::complex<double> const profile =
        amplitude / (i * omega) * (1.0 - std::cosh(lambda * h) / std::cosh(lambda * 0.5 * width));
    double const exact = (profile * std::exp(i * omega * static_cast<double>(steps))).real();
    largest = std::max(largest, std::abs(exact));
    worst = std::max(worst, std::abs(result.at(box.shape, {6, y, 0}).velocity[0] - exact));
  }
  EXPECT_LT(worst / largest, 0.001);
}

}  // namespace
}  // namespace tessera

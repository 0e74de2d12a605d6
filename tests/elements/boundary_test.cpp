// SPDX-License-Identifier: MIT
// Sides that nothing lies behind: what must not change there, and shock tubes between walls.
#include <gtest/gtest.h>

#include "lattice/errors.hpp"
#include "tests/elements/flows.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

double largest_rate(MeshOfGas const& of, Exact const& initial) {
  BareLoop<double> loop(of, {}, initial);
  double most = 0;
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    for (State<double> const& rate : loop.rate(static_cast<std::int32_t>(e))) {
      for (int v = 0; v < variables; ++v) most = std::max(most, std::abs(rate[v]));
    }
  }
  return most;
}

BoxMesh open_box(int dimension, bool curved) {
  BoxMesh box{.dimension = dimension, .cells = {3, 3, 3}, .periodic = {false, false, false}};
  box.degree = in_turn(2, 3, 1.0 / 3);
  box.turn = turned(dimension);
  if (!curved) return box;
  box.map_degree = 2;
  box.bend = [](Point const& at) {
    Point const there = bent_cube({at[0], at[1], at[2] + 0.3});
    return Point{there[0], there[1], at[2]};
  };
  return box;
}

TEST(Boundaries, LeaveAUniformFlowAloneThatFitsThem) {
  for (bool const curved : {false, true}) {
    for (BoundaryKind const kind :
         {BoundaryKind::far_field, BoundaryKind::inlet, BoundaryKind::outlet}) {
      BoundaryCondition const plane{kind, uniform_in_plane};
      EXPECT_LT(largest_rate(gas_in(open_box(2, curved), std::vector(4, plane)), uniform_in_plane),
                3e-12);
      BoundaryCondition const space{kind, uniform};
      EXPECT_LT(largest_rate(gas_in(open_box(3, curved), std::vector(6, space)), uniform), 3e-11);
    }
  }
}

Primitive<double> at_rest(Point const&) { return {1, {0, 0, 0}, 1}; }

TEST(Boundaries, WallsHoldAGasAtRest) {
  for (bool const curved : {false, true}) {
    BoundaryCondition const wall{BoundaryKind::slip_wall, {}};
    EXPECT_LT(largest_rate(gas_in(open_box(2, curved), std::vector(4, wall)), at_rest), 3e-12);
    EXPECT_LT(largest_rate(gas_in(open_box(3, curved), std::vector(6, wall)), at_rest), 3e-11);
  }
}

TEST(Boundaries, NothingPassesThroughWalls) {
  BoundaryCondition const wall{BoundaryKind::slip_wall, {}};
  MeshOfGas const of = gas_in(open_box(3, true), std::vector(6, wall));
  for (RiemannSolver const solver :
       {RiemannSolver::roe, RiemannSolver::hllc, RiemannSolver::rusanov}) {
    BareLoop<double> loop(of, {.riemann = solver}, [](Point const& at) {
      return Primitive<double>{1, {0.3 * std::sin(3 * at[0]), 0.2, -0.1}, 1 + 0.1 * at[1]};
    });
    State<double> const before = totals(of, loop);
    for (int step = 0; step < 10; ++step) loop.step(loop.stable_step(0.8));
    State<double> const after = totals(of, loop);
    EXPECT_NEAR(after[density], before[density], 1e-13);
    EXPECT_NEAR(after[energy], before[energy], 3e-13);
  }
}

TEST(Boundaries, OutletBringsThePressureThatIsGiven) {
  auto const given = [](double pressure) {
    return [pressure](Point const&) { return Primitive<double>{1, {0.3, 0, 0}, pressure}; };
  };
  BoxMesh const channel{.dimension = 2,
                        .cells = {4, 1, 1},
                        .size = {4, 1, 1},
                        .periodic = {false, true, true},
                        .degree = everywhere(3)};
  MeshOfGas const of =
      gas_in(channel, {{BoundaryKind::inlet, given(1)}, {BoundaryKind::outlet, given(1.05)}});
  BareLoop<double> loop(of, {}, given(1));
  for (double time = 0; time < 60;) {
    double const dt = loop.stable_step(0.9);
    loop.step(dt);
    time += dt;
  }
  for (std::int32_t e : {0, 3}) {
    for (State<double> const& q : loop.state(e))
      EXPECT_NEAR(primitive(q, Gas<double>{}).pressure, 1.05, 1e-6);
  }
}

TEST(Boundaries, WantConditions) {
  EXPECT_THROW(BareLoop<double>(gas_in(open_box(2, false)), {}, at_rest), BadInput);
}

/// Mean density of a plane of Sod's tube at t = 0.2, along x.
std::vector<double> tube(std::int32_t cells) {
  BoxMesh const box{.dimension = 2,
                    .cells = {cells, 1, 1},
                    .size = {1, 0.1, 1},
                    .periodic = {false, true, true},
                    .degree = everywhere(0)};
  BoundaryCondition const wall{BoundaryKind::slip_wall, {}};
  MeshOfGas const of = gas_in(box, {wall, wall});
  BareLoop<double> loop(of, {.integrator = Integrator::ssp3}, [](Point const& at) {
    return at[0] < 0.5 ? Primitive<double>{1, {0, 0, 0}, 1}
                       : Primitive<double>{0.125, {0, 0, 0}, 0.1};
  });
  for (double time = 0; time < 0.2;) {
    double const dt = std::min(loop.stable_step(0.8), 0.2 - time + 1e-15);
    loop.step(dt);
    time += dt;
  }
  std::vector<double> along;
  for (std::int32_t e = 0; e < cells; ++e) along.push_back(loop.state(e)[0][density]);
  return along;
}

TEST(SodsTube, OfDegree0HasThePlateausOfTheExactSolution) {
  std::vector<double> const along = tube(400);
  EXPECT_NEAR(along[400 * 6 / 10], 0.426319428178, 0.004);  // behind the fan
  EXPECT_NEAR(along[400 * 8 / 10], 0.265573711705, 0.001);  // behind the shock
  EXPECT_NEAR(along[400 * 9 / 10], 0.125, 1e-6);            // ahead of it
  EXPECT_NEAR(along[400 / 20], 1, 1e-6);
}

}  // namespace
}  // namespace tessera::spectral

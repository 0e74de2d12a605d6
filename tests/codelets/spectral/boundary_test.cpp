// SPDX-License-Identifier: MIT
// Sides of the domain: states that must not change there, and shock tubes between walls.
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "tests/codelets/spectral/flows.hpp"

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

/// Ringleb's flow (1940): a stream line k and a speed q to a place, upper half; density and speed
/// of sound at rest are 1.
struct Ringleb {
  double c, rho, j;
  explicit Ringleb(double q)
      : c(std::sqrt(1 - 0.2 * q * q)),
        rho(std::pow(c, 5)),
        j(1 / c + 1 / (3 * c * c * c) + 1 / (5 * std::pow(c, 5)) -
          0.5 * std::log((1 + c) / (1 - c))) {}
};
Point ringleb_place(double k, double q) {
  Ringleb const at(q);
  return {(2 / (k * k) - 1 / (q * q)) / (2 * at.rho) - at.j / 2,
          std::sqrt(1 - q * q / (k * k)) / (k * at.rho * q), 0};
}
Primitive<double> ringleb(Point const& place) {
  double low = 0.05, high = 2;
  for (int halving = 0; halving < 100; ++halving) {
    double const q = 0.5 * (low + high);
    Ringleb const at(q);
    double const x = place[0] + at.j / 2;
    double const apart = x * x + place[1] * place[1] - 1 / (4 * at.rho * at.rho * std::pow(q, 4));
    (apart < 0 ? low : high) = q;
  }
  double const q = 0.5 * (low + high);
  Ringleb const at(q);
  double const k = std::sqrt(2 / (2 * at.rho * (place[0] + at.j / 2) + 1 / (q * q)));
  double const theta = std::asin(std::min(1.0, q / k));
  return {at.rho, {-q * std::cos(theta), q * std::sin(theta), 0}, at.rho * at.c * at.c / 1.4};
}

/// Root mean square of the density's rate of change in the exact steady state; it should be 0.
double residual_of_ringleb(int p, std::int32_t n) {
  BoxMesh const box{
      .dimension = 2,
      .cells = {n, n, 1},
      .periodic = {false, false, false},
      .map_degree = p + 1,
      .bend = [](Point const& at) { return ringleb_place(0.7 + 0.5 * at[0], 0.5 + 0.15 * at[1]); },
      .degree = everywhere(p)};
  MeshOfGas const of =
      gas_in(box, std::vector(4, BoundaryCondition{BoundaryKind::far_field, ringleb}));
  BareLoop<double> loop(of, {}, ringleb);
  double sum = 0, area = 0;
  for (std::int32_t e = 0; e < n * n; ++e) {
    integrate(of.mesh, static_cast<std::size_t>(e), loop.rate(e), 0,
              [&](Point const&, State<double> const& rate, double w) {
                sum += w * rate[density] * rate[density];
                area += w;
              });
  }
  return std::sqrt(sum / area);
}

TEST(Ringleb, HasTheResidualsOfTheReferenceOnCurvedElements) {
  EXPECT_NEAR(residual_of_ringleb(2, 2), 9.775808e-3, 1e-8);
  EXPECT_NEAR(residual_of_ringleb(2, 4), 3.396233e-3, 1e-8);
  EXPECT_NEAR(residual_of_ringleb(2, 8), 1.011808e-3, 1e-8);
  EXPECT_NEAR(residual_of_ringleb(3, 2), 3.424825e-3, 1e-8);
  EXPECT_NEAR(residual_of_ringleb(3, 4), 8.915993e-4, 1e-9);
  EXPECT_NEAR(residual_of_ringleb(3, 8), 1.834726e-4, 1e-9);
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
  along.reserve(static_cast<std::size_t>(cells));
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

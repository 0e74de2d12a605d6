// SPDX-License-Identifier: MIT
#include "models/lattice/collision.hpp"

#include <gtest/gtest.h>

#include "models/lattice/units.hpp"

namespace tessera {
namespace {

struct Moments {
  double mass = 0;
  double momentum[3] = {};
};

Moments moments(double const (&f)[19]) {
  Moments m;
  for (int q = 0; q < 19; ++q) {
    m.mass += f[q];
    m.momentum[0] += D3Q19::x(q) * f[q];
    m.momentum[1] += D3Q19::y(q) * f[q];
    m.momentum[2] += D3Q19::z(q) * f[q];
  }
  return m;
}

void fill(double (&f)[19]) {
  for (int q = 0; q < 19; ++q) f[q] = 1e-3 * ((q * 7) % 11 - 5);
}

TEST(D3Q19, IsIsotropicUpToFourthOrder) {
  double w = 0, xx = 0, xxxx = 0, xxyy = 0;
  for (int q = 0; q < 19; ++q) {
    double const weight = D3Q19::weight(q);
    w += weight;
    xx += weight * D3Q19::x(q) * D3Q19::x(q);
    xxxx += weight * D3Q19::x(q) * D3Q19::x(q) * D3Q19::x(q) * D3Q19::x(q);
    xxyy += weight * D3Q19::x(q) * D3Q19::x(q) * D3Q19::y(q) * D3Q19::y(q);
    int const o = D3Q19::opposite(q);
    EXPECT_EQ(D3Q19::x(q), -D3Q19::x(o));
    EXPECT_EQ(D3Q19::y(q), -D3Q19::y(o));
    EXPECT_EQ(D3Q19::z(q), -D3Q19::z(o));
  }
  EXPECT_DOUBLE_EQ(w, 1);
  EXPECT_DOUBLE_EQ(xx, 1.0 / 3);
  EXPECT_DOUBLE_EQ(xxxx, 1.0 / 3);
  EXPECT_DOUBLE_EQ(xxyy, 1.0 / 9);
}

template <EquilibriumForm equilibrium>
void conserves() {
  double const force[3] = {1e-3, -2e-3, 5e-4};
  double f[19];
  fill(f);
  Moments const before = moments(f);
  collide<equilibrium>(f, two_rates<double>(flow_parameters({.collision = CollisionOperator::trt},
                                                            0.7, 0.1875, force)));
  Moments const after = moments(f);
  double const density = equilibrium == EquilibriumForm::linear ? 1 : 1 + before.mass;
  EXPECT_NEAR(after.mass, before.mass, 1e-15);
  for (int a = 0; a < 3; ++a)
    EXPECT_NEAR(after.momentum[a], before.momentum[a] + density * force[a], 1e-15);
}

TEST(Collision, KeepsMassAndAddsTheForceToTheMomentum) {
  conserves<EquilibriumForm::linear>();
  conserves<EquilibriumForm::second_order>();
}

TEST(Collision, LeavesTheEquilibriumAlone) {
  double const u[3] = {0.02, -0.01, 0.03};
  double const rho = 1.02;
  double f[19];
  double expected[19];
  for (int q = 0; q < 19; ++q) {
    double const cu = D3Q19::x(q) * u[0] + D3Q19::y(q) * u[1] + D3Q19::z(q) * u[2];
    double const uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    f[q] = D3Q19::weight(q) * (rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu) - 1);
    expected[q] = f[q];
  }
  double const no_force[3] = {};
  collide<EquilibriumForm::second_order>(
      f, two_rates<double>(
             flow_parameters({.collision = CollisionOperator::trt}, 0.7, 0.1875, no_force)));
  for (int q = 0; q < 19; ++q) EXPECT_NEAR(f[q], expected[q], 1e-16);
}

/// The textbook form of BGK with Guo's force, population by population.
TEST(Collision, IsBgkWithGuosForceWhereBothRatesAgree) {
  double const tau = 0.8;
  double const g[3] = {1e-3, -2e-3, 5e-4};
  double f[19];
  fill(f);
  Moments const m = moments(f);
  double const rho = 1 + m.mass;
  double u[3];
  for (int a = 0; a < 3; ++a) u[a] = m.momentum[a] / rho + 0.5 * g[a];
  double expected[19];
  for (int q = 0; q < 19; ++q) {
    double const c[3] = {double(D3Q19::x(q)), double(D3Q19::y(q)), double(D3Q19::z(q))};
    double cu = 0, uu = 0, force = 0;
    for (int a = 0; a < 3; ++a) cu += c[a] * u[a], uu += u[a] * u[a];
    for (int a = 0; a < 3; ++a) force += (3 * (c[a] - u[a]) + 9 * cu * c[a]) * rho * g[a];
    double const equilibrium =
        D3Q19::weight(q) * (rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu) - 1);
    expected[q] = f[q] - (f[q] - equilibrium) / tau + (1 - 0.5 / tau) * D3Q19::weight(q) * force;
  }
  collide<EquilibriumForm::second_order>(
      f, two_rates<double>(flow_parameters({.collision = CollisionOperator::bgk}, tau, 0, g)));
  for (int q = 0; q < 19; ++q) EXPECT_NEAR(f[q], expected[q], 1e-16) << q;
}

TEST(Collision, OfAVectorIsThatOfItsLanes) {
  using Vector [[gnu::vector_size(16)]] = double;
  double const force[3] = {1e-3, 0, 0};
  auto const p =
      two_rates<double>(flow_parameters({.collision = CollisionOperator::trt}, 0.6, 0.25, force));
  Vector lanes[19];
  double single[2][19];
  for (int q = 0; q < 19; ++q) {
    for (int i = 0; i < 2; ++i) lanes[q][i] = single[i][q] = 1e-3 * ((q * 5 + i) % 7 - 3);
  }
  collide<EquilibriumForm::second_order>(lanes, p);
  for (auto& f : single) collide<EquilibriumForm::second_order>(f, p);
  for (int q = 0; q < 19; ++q) {
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(lanes[q][i], single[i][q], 1e-17);
  }
}

TEST(Units, ViscosityAndRelaxationTimeAreInverse) {
  EXPECT_DOUBLE_EQ(viscosity(0.8), 0.1);
  EXPECT_DOUBLE_EQ(relaxation_time(viscosity(0.61)), 0.61);
}

}  // namespace
}  // namespace tessera

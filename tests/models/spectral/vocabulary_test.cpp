// SPDX-License-Identifier: MIT
// Points, matrices and Riemann fluxes against an independent program (NumPy), and by what defines
// them.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "models/spectral/matrices.hpp"
#include "models/spectral/riemann.hpp"
#include "models/spectral/runge_kutta.hpp"
#include "models/spectral/tensor.hpp"

namespace tessera::spectral {
namespace {

TEST(Operators, AreThoseOfTheReference) {
  std::array<double, 4> const solution{0.06943184420297371, 0.33000947820757187, 0.6699905217924281,
                                       0.9305681557970262};
  std::array<double, 5> const flux{0.0, 0.1127016653792583, 0.5, 0.8872983346207417, 1.0};
  double const extrapolation[5][4] = {
      {1.5267881254572666, -0.8136324494869271, 0.40076152031165047, -0.11391719628198999},
      {0.734976797055497, 0.3706812239466961, -0.1445425026992792, 0.03888448169708614},
      {-0.09232659844072881, 0.5923265984407288, 0.5923265984407288, -0.09232659844072888},
      {0.038884481697086075, -0.144542502699279, 0.3706812239466956, 0.7349767970554973},
      {-0.11391719628199003, 0.40076152031165074, -0.8136324494869279, 1.5267881254572673}};
  double const derivative[4][5] = {{-7.864064978196552, 7.4194702779689035, 0.6710462444897074,
                                    -0.4857227732526501, 0.25927122899058674},
                                   {1.2600655429591705, -4.286537000213723, 3.1024987811484146,
                                    -0.06989951680875134, -0.0061278070851110145},
                                   {0.0061278070851109034, 0.06989951680875162, -3.102498781148414,
                                    4.286537000213723, -1.2600655429591707},
                                   {-0.25927122899058747, 0.4857227732526519, -0.6710462444897094,
                                    -7.419470277968903, 7.864064978196549}};
  double const weight[4] = {0.17392742256872679, 0.3260725774312732, 0.3260725774312732,
                            0.17392742256872679};
  Operators<3, double> const& made = operators<3, double>;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(solution_points<3>()[i], solution[i], 1e-15);
    EXPECT_NEAR(made.weight[i], weight[i], 1e-15);
  }
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_NEAR(flux_points<3>()[f], flux[f], 1e-15);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(made.extrapolation[f][i], extrapolation[f][i], 1e-14);
      EXPECT_NEAR(made.derivative[i][f], derivative[i][f], 2e-14);
    }
  }
}

template <int p>
void expect_exact() {
  SCOPED_TRACE(p);
  Operators<p, double> const& made = operators<p, double>;
  auto const xs = solution_points<p>();
  auto const xf = flux_points<p>();
  for (int power = 0; power <= p + 1; ++power) {
    for (std::size_t f = 0; power <= p && f < xf.size(); ++f) {
      double sum = 0;
      for (std::size_t i = 0; i < xs.size(); ++i)
        sum += made.extrapolation[f][i] * std::pow(xs[i], power);
      EXPECT_NEAR(sum, std::pow(xf[f], power), 2e-14) << "x^" << power;
    }
    double integral = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      double sum = 0;
      for (std::size_t f = 0; f < xf.size(); ++f)
        sum += made.derivative[i][f] * std::pow(xf[f], power);
      EXPECT_NEAR(sum, power == 0 ? 0 : power * std::pow(xs[i], power - 1), 2e-13) << power;
      integral += made.weight[i] * std::pow(xs[i], power);
    }
    EXPECT_NEAR(integral, 1.0 / (power + 1), power <= 2 * p + 1 ? 1e-15 : 1.0);
  }
}

TEST(Operators, AreExactForPolynomials) {
  expect_exact<0>();
  expect_exact<1>();
  expect_exact<2>();
  expect_exact<3>();
  expect_exact<4>();
  expect_exact<5>();
  expect_exact<6>();
  expect_exact<7>();
  expect_exact<8>();
}

TEST(Mortars, InterpolateUpwardsAndKeepIntegralsDownwards) {
  static MortarMatrices<double> const mortars = make_mortar_matrices<double>();
  for (int low = 0; low <= most_degree; ++low) {
    for (int high = low; high <= most_degree; ++high) {
      std::vector<double> const xl = solution_points(low), xh = solution_points(high);
      std::vector<double> const wl = gauss_weights(low + 1), wh = gauss_weights(high + 1);
      double const* const up = mortars.between(low, high);
      double const* const down = mortars.between(high, low);
      for (int power = 0; power <= low; ++power) {
        for (std::size_t i = 0; i < xh.size(); ++i) {
          double sum = 0;
          for (std::size_t j = 0; j < xl.size(); ++j)
            sum += up[i * xl.size() + j] * std::pow(xl[j], power);
          EXPECT_NEAR(sum, std::pow(xh[i], power), 2e-14) << low << " to " << high;
        }
      }
      for (int power = 0; power <= high; ++power) {  // the integral of any polynomial is kept
        double before = 0, after = 0;
        for (std::size_t j = 0; j < xh.size(); ++j) before += wh[j] * std::pow(xh[j], power);
        for (std::size_t i = 0; i < xl.size(); ++i) {
          for (std::size_t j = 0; j < xh.size(); ++j)
            after += wl[i] * down[i * xh.size() + j] * std::pow(xh[j], power);
        }
        EXPECT_NEAR(after, before, 1e-14) << high << " to " << low;
      }
    }
  }
}

TEST(Points, OfLobattoAreKnown) {
  auto const points = lobatto_points<5>();
  EXPECT_NEAR(points[1], 0.5 * (1 - std::sqrt(3.0 / 7)), 1e-15);
  EXPECT_NEAR(points[2], 0.5, 1e-15);
}

struct Case {
  Primitive<double> left, right;
  double n[3];
  std::array<double, 4> roe, hllc, rusanov;  ///< density, two momenta, energy
};

Case const cases[] = {
    {{1, {0, 0, 0}, 1},
     {0.125, {0, 0, 0}, 0.1},
     {1, 0, 0},  // Sod
     {0.3906604857859629, 0.55, 0.0, 1.2958822773731127},
     {0.431067162607704, 0.4899544548276895, 0.0, 1.1628640656485048},
     {0.5176569810212164, 0.55, 0.0, 1.3311179511974138}},
    {{1.2, {0.4, -0.3, 0}, 1.5},
     {0.7, {-0.2, 0.5, 0}, 0.6},
     {0.6, 0.8, 0},  // oblique
     {0.441085492964424, 0.6311836226287223, 0.7796123171797196, 1.6592574246819687},
     {0.41842032029269144, 0.7352572948199401, 0.6316594595160109, 1.6208091033632945},
     {0.4418612787525831, 1.036787985653203, 0.4007169841713321, 1.8889402984256247}},
    {{1, {3, 0.5, 0}, 1},
     {0.9, {2.8, 0.4, 0}, 0.8},
     {1, 0, 0},  // supersonic
     {3.0, 10.0, 1.5, 24.375},
     {3.0, 10.0, 1.5, 24.375},
     {2.969160797830996, 9.93197182958878, 1.5468251169633946, 24.337202166922694}},
    {{1, {0.3, 0.2, 0}, 1},
     {2, {0.3, 0.2, 0}, 1},
     {0.6, 0.8, 0},  // contact
     {0.33999999999999997, 0.702, 0.8680000000000001, 1.2121000000000002},
     {0.34, 0.702, 0.8680000000000001, 1.2121000000000002},
     {-0.2516079783099616, 0.5245176065070115, 0.7496784043380078, 1.1736454814098527}},
};

void expect_flux(State<double> const& f, std::array<double, 4> const& expected) {
  EXPECT_NEAR(f[0], expected[0], 1e-14);
  EXPECT_NEAR(f[1], expected[1], 1e-14);
  EXPECT_NEAR(f[2], expected[2], 1e-14);
  EXPECT_EQ(f[3], 0);
  EXPECT_NEAR(f[4], expected[3], 4e-14);
}

TEST(RiemannSolvers, AreThoseOfTheReference) {
  Gas<double> const gas;
  for (Case const& c : cases) {
    State<double> const l = conserved(c.left, gas), r = conserved(c.right, gas);
    expect_flux(roe(l, r, c.n, gas, 0.0), c.roe);
    expect_flux(hllc(l, r, c.n, gas), c.hllc);
    expect_flux(rusanov(l, r, c.n, gas), c.rusanov);
  }
}

TEST(RiemannSolvers, AreConsistentAndSymmetric) {
  Gas<double> const gas;
  for (RiemannSolver const solver :
       {RiemannSolver::roe, RiemannSolver::hllc, RiemannSolver::rusanov}) {
    for (Case const& c : cases) {
      State<double> const l = conserved(c.left, gas), r = conserved(c.right, gas);
      double const area[3] = {0.3, -0.7, 0.2}, back[3] = {-0.3, 0.7, -0.2};
      State<double> const same = common_flux(solver, l, l, area, gas, 0.0);
      State<double> const there = common_flux(solver, l, r, area, gas, 0.1);
      State<double> const here = common_flux(solver, r, l, back, gas, 0.1);
      for (int v = 0; v < variables; ++v) {
        EXPECT_NEAR(same[v], flux(l, area, gas)[v], 1e-14);
        EXPECT_NEAR(there[v], -here[v], 1e-14);
      }
    }
  }
}

TEST(RiemannSolvers, TakeLanesLikeNumbers) {
  using Lanes [[gnu::vector_size(16)]] = double;
  Gas<double> const gas;
  double const area[3] = {0.3, -0.7, 0.2};
  Lanes const areas[3] = {Lanes{} + area[0], Lanes{} + area[1], Lanes{} + area[2]};
  for (Case const& c : cases) {
    State<double> const l = conserved(c.left, gas), r = conserved(c.right, gas);
    State<Lanes> left{}, right{};
    for (int v = 0; v < variables; ++v) {
      left[v] = Lanes{l[v], r[v]};
      right[v] = Lanes{r[v], l[v]};
    }
    for (RiemannSolver const solver :
         {RiemannSolver::roe, RiemannSolver::hllc, RiemannSolver::rusanov}) {
      State<Lanes> const f = common_flux(solver, left, right, areas, gas, 0.1);
      State<double> const there = common_flux(solver, l, r, area, gas, 0.1);
      State<double> const back = common_flux(solver, r, l, area, gas, 0.1);
      for (int v = 0; v < variables; ++v) {
        EXPECT_NEAR(f[v][0], there[v], 1e-15);
        EXPECT_NEAR(f[v][1], back[v], 1e-15);
      }
    }
  }
}

/// u' = -u^2, u(0) = 1, to t = 2.
double error_of(Integrator integrator, int steps) {
  double u = 1, kept = 0;
  for (int step = 0; step < steps; ++step) {
    for (Stage const& stage : stages_of(integrator))
      take_stage(factors_of<double>(stage, 2.0 / steps), -u * u, u, kept);
  }
  return std::abs(u - 1.0 / 3);
}

TEST(Integrators, HaveTheErrorsOfTheReference) {
  EXPECT_NEAR(error_of(Integrator::ssp3, 20), 1.827734e-5, 1e-11);
  EXPECT_NEAR(error_of(Integrator::ssp3, 40), 2.170309e-6, 1e-12);
  EXPECT_NEAR(error_of(Integrator::carpenter_kennedy, 20), 4.524867e-7, 1e-13);
  EXPECT_NEAR(error_of(Integrator::carpenter_kennedy, 40), 2.658032e-8, 1e-14);
  EXPECT_NEAR(error_of(Integrator::bogey_bailly, 20), 6.530405e-5, 1e-11);
  EXPECT_NEAR(error_of(Integrator::bogey_bailly, 40), 1.615790e-5, 1e-11);
  EXPECT_NEAR(error_of(Integrator::jameson, 20), 6.362092e-5, 1e-11);
  EXPECT_NEAR(error_of(Integrator::jameson, 40), 1.563305e-5, 1e-11);
}

}  // namespace
}  // namespace tessera::spectral

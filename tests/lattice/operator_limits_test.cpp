// SPDX-License-Identifier: MIT
// What operators have in common where their rates agree, and the moments of MRT.
#include <gtest/gtest.h>

#include <vector>

#include "lattice/collision.hpp"
#include "tests/lattice/combinations.hpp"

namespace tessera {
namespace {

constexpr auto second = EquilibriumForm::second_order;
constexpr double force[3] = {1e-3, -2e-3, 5e-4};
constexpr double rate = 1.3;

/// Populations after the collision of a certain state.
template <VelocitySet Lattice, class Operator, EquilibriumForm form>
std::vector<double> after(typename Operator::template Rates<double> const& rates) {
  double f[Lattice::size];
  for (int q = 0; q < Lattice::size; ++q) f[q] = 1e-3 * ((q * 7) % 11 - 5);
  NodeParameters<Operator, double> const p{rates, {force[0], force[1], force[2]}};
  collide<Lattice, Operator, form>(f, p);
  return {f, f + Lattice::size};
}

void expect_near(std::vector<double> const& a, std::vector<double> const& b) {
  for (std::size_t q = 0; q < a.size(); ++q) EXPECT_NEAR(a[q], b[q], 1e-16) << q;
}

template <VelocitySet Lattice>
void mrt_is_bgk() {
  auto const bgk = after<Lattice, Bgk, second>({rate});
  auto const rates = equal_mrt_rates<Lattice>(rate);
  if constexpr (MrtPlain::suits<Lattice, second>)
    expect_near(after<Lattice, MrtPlain, second>(rates), bgk);
  if constexpr (MrtWeighted::suits<Lattice, second>)
    expect_near(after<Lattice, MrtWeighted, second>(rates), bgk);
}

TEST(Mrt, IsBgkWhereAllRatesAgree) {
  mrt_is_bgk<D2Q9>();
  mrt_is_bgk<D3Q15>();
  mrt_is_bgk<D3Q19>();
  mrt_is_bgk<D3Q27>();
}

TEST(Mrt, IsTrtWhereEvenAndOddRatesAgree) {
  MrtRates<double> const rates{rate, rate, rate, rate, 1.1, rate, 1.1};
  expect_near(after<D3Q19, MrtPlain, second>(rates), after<D3Q19, Trt, second>({rate, 1.1}));
}

template <VelocitySet Lattice>
void trt_is_bgk() {
  expect_near(after<Lattice, Trt, second>({rate, rate}), after<Lattice, Bgk, second>({rate}));
}

TEST(Trt, IsBgkWhereBothRatesAgree) {
  trt_is_bgk<D2Q9>();
  trt_is_bgk<D3Q15>();
  trt_is_bgk<D3Q19>();
  trt_is_bgk<D3Q27>();
}

TEST(Trt, OfD3Q19IsTheOneWrittenOut) {
  for (double const odd : {rate, 1.1}) {
    CollisionParameters<double> const p{rate, odd, {force[0], force[1], force[2]}};
    double f[19];
    for (int q = 0; q < 19; ++q) f[q] = 1e-3 * ((q * 7) % 11 - 5);
    collide<EquilibriumForm::second_order>(f, p);
    expect_near(after<D3Q19, Trt, second>({rate, odd}), {f, f + 19});
    for (int q = 0; q < 19; ++q) f[q] = 1e-3 * ((q * 7) % 11 - 5);
    collide<EquilibriumForm::linear>(f, p);
    expect_near(after<D3Q19, Trt, EquilibriumForm::linear>({rate, odd}), {f, f + 19});
  }
}

TEST(CentralMoments, AreBgkOfTheProductEquilibriumWhereAllRatesAgree) {
  constexpr auto product = EquilibriumForm::product;
  expect_near(after<D3Q27, CentralMoments, product>({rate, rate, rate, rate}),
              after<D3Q27, Bgk, product>({rate}));
  expect_near(after<D2Q9, CentralMoments, product>({rate, rate, rate, rate}),
              after<D2Q9, Bgk, product>({rate}));
}

TEST(Smagorinsky, WithoutItsConstantIsTheOperatorItself) {
  expect_near(after<D3Q19, Smagorinsky<Regularised>, second>({{rate}, rate, 0}),
              after<D3Q19, Regularised, second>({rate}));
}

template <VelocitySet Lattice, Orthogonality orthogonality>
void is_orthogonal() {
  using M = MomentMatrix<Lattice, orthogonality>;
  for (int k = 0; k < Lattice::size; ++k) {
    for (int l = 0; l <= k; ++l) {
      double sum = 0;
      for (int q = 0; q < Lattice::size; ++q)
        sum += M::weight(q) * M::value(k, q) * M::value(l, q) * M::scale(k);
      EXPECT_NEAR(sum, k == l ? 1 : 0, 1e-14) << Lattice::name << ' ' << k << ' ' << l;
    }
  }
}

TEST(Mrt, HasOrthogonalMoments) {
  using enum Orthogonality;
  is_orthogonal<D2Q9, plain>();
  is_orthogonal<D2Q9, weighted>();
  is_orthogonal<D3Q13, plain>();
  is_orthogonal<D3Q15, plain>();
  is_orthogonal<D3Q15, weighted>();
  is_orthogonal<D3Q19, plain>();
  is_orthogonal<D3Q19, weighted>();
  is_orthogonal<D3Q27, weighted>();
}

TEST(Operators, AreOfferedOnlyWhereTheyMakeSense) {
  constexpr auto product = EquilibriumForm::product;
  EXPECT_FALSE((Bgk::suits<D3Q13, second>));
  EXPECT_TRUE((MrtPlain::suits<D3Q13, second>));
  EXPECT_FALSE((MrtWeighted::suits<D3Q13, second>));
  EXPECT_FALSE((MrtPlain::suits<D3Q27, second>));
  EXPECT_FALSE((CentralMoments::suits<D3Q19, product>));
  EXPECT_FALSE((Cumulants::suits<D2Q9, product>));
  EXPECT_FALSE((Smagorinsky<Bgk>::suits<D3Q19, EquilibriumForm::linear>));
  EXPECT_FALSE((Bgk::suits<D3Q19, product>));
}

}  // namespace
}  // namespace tessera

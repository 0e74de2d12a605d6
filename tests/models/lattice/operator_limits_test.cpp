// SPDX-License-Identifier: MIT
// What operators have in common where their rates agree, and the moments of MRT.
#include <gtest/gtest.h>

#include <vector>

#include "models/lattice/collision.hpp"
#include "tests/models/lattice/combinations.hpp"

namespace tessera {
namespace {

constexpr auto second_order = EquilibriumForm::second_order;
constexpr double weak_force[3] = {1e-3, -2e-3, 5e-4};
constexpr double rate = 1.3;

/// Populations after the collision of a certain state.
template <VelocitySet Lattice, class Operator, EquilibriumForm form>
std::vector<double> after(typename Operator::template Rates<double> const& rates) {
  double f[Lattice::size];
  for (int q = 0; q < Lattice::size; ++q) f[q] = 1e-3 * ((q * 7) % 11 - 5);
  NodeParameters<Operator, double> const p{rates, {weak_force[0], weak_force[1], weak_force[2]}};
  collide<Lattice, Operator, form>(f, p);
  return {f, f + Lattice::size};
}

void expect_nearly(std::vector<double> const& a, std::vector<double> const& b) {
  for (std::size_t q = 0; q < a.size(); ++q) EXPECT_NEAR(a[q], b[q], 1e-16) << q;
}

template <VelocitySet Lattice>
void mrt_is_bgk() {
  auto const bgk = after<Lattice, Bgk, second_order>({rate});
  auto const rates = equal_mrt_rates<Lattice>(rate);
  if constexpr (MrtPlain::suits<Lattice, second_order>)
    expect_nearly(after<Lattice, MrtPlain, second_order>(rates), bgk);
  if constexpr (MrtWeighted::suits<Lattice, second_order>)
    expect_nearly(after<Lattice, MrtWeighted, second_order>(rates), bgk);
}

TEST(Mrt, IsBgkWhereAllRatesAgree) {
  mrt_is_bgk<D2Q9>();
  mrt_is_bgk<D3Q15>();
  mrt_is_bgk<D3Q19>();
  mrt_is_bgk<D3Q27>();
}

TEST(Mrt, IsTrtWhereEvenAndOddRatesAgree) {
  MrtRates<double> const rates{rate, rate, rate, rate, 1.1, rate, 1.1};
  expect_nearly(after<D3Q19, MrtPlain, second_order>(rates),
                after<D3Q19, Trt, second_order>({rate, 1.1}));
}

template <VelocitySet Lattice>
void trt_is_bgk() {
  expect_nearly(after<Lattice, Trt, second_order>({rate, rate}),
                after<Lattice, Bgk, second_order>({rate}));
}

TEST(Trt, IsBgkWhereBothRatesAgree) {
  trt_is_bgk<D2Q9>();
  trt_is_bgk<D3Q15>();
  trt_is_bgk<D3Q19>();
  trt_is_bgk<D3Q27>();
}

TEST(Trt, OfD3Q19IsTheOneWrittenOut) {
  for (double const odd : {rate, 1.1}) {
    CollisionParameters<double> const p{rate, odd, {weak_force[0], weak_force[1], weak_force[2]}};
    double f[19];
    for (int q = 0; q < 19; ++q) f[q] = 1e-3 * ((q * 7) % 11 - 5);
    collide<EquilibriumForm::second_order>(f, p);
    expect_nearly(after<D3Q19, Trt, second_order>({rate, odd}), {f, f + 19});
    for (int q = 0; q < 19; ++q) f[q] = 1e-3 * ((q * 7) % 11 - 5);
    collide<EquilibriumForm::linear>(f, p);
    expect_nearly(after<D3Q19, Trt, EquilibriumForm::linear>({rate, odd}), {f, f + 19});
  }
}

TEST(CentralMoments, AreBgkOfTheProductEquilibriumWhereAllRatesAgree) {
  constexpr auto product = EquilibriumForm::product;
  expect_nearly(after<D3Q27, CentralMoments, product>({rate, rate, rate, rate}),
                after<D3Q27, Bgk, product>({rate}));
  expect_nearly(after<D2Q9, CentralMoments, product>({rate, rate, rate, rate}),
                after<D2Q9, Bgk, product>({rate}));
}

TEST(Smagorinsky, WithoutItsConstantIsTheOperatorItself) {
  expect_nearly(after<D3Q19, Smagorinsky<Regularised>, second_order>({{rate}, rate, 0}),
                after<D3Q19, Regularised, second_order>({rate}));
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
  EXPECT_FALSE((Bgk::suits<D3Q13, second_order>));
  EXPECT_TRUE((MrtPlain::suits<D3Q13, second_order>));
  EXPECT_FALSE((MrtWeighted::suits<D3Q13, second_order>));
  EXPECT_FALSE((MrtPlain::suits<D3Q27, second_order>));
  EXPECT_FALSE((CentralMoments::suits<D3Q19, product>));
  EXPECT_FALSE((Cumulants::suits<D2Q9, product>));
  EXPECT_FALSE((Smagorinsky<Bgk>::suits<D3Q19, EquilibriumForm::linear>));
  EXPECT_FALSE((Bgk::suits<D3Q19, product>));
}

}  // namespace
}  // namespace tessera

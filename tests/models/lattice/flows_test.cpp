// SPDX-License-Identifier: MIT
// Viscosity, its order, its isotropy and its independence of a uniform flow, for each lattice and
// operator; the figures are in docs/method.md.
#include "tests/models/lattice/flows.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

template <class C>
class Flows : public testing::Test {};
using FlowCombinations = testing::Types<
    Combination<D2Q9, Bgk, forms::second>, Combination<D2Q9, Trt, forms::second>,
    Combination<D2Q9, MrtPlain, forms::second>, Combination<D2Q9, Regularised, forms::second>,
    Combination<D2Q9, CentralMoments, forms::product>, Combination<D3Q13, MrtPlain, forms::second>,
    Combination<D3Q15, Bgk, forms::second>, Combination<D3Q15, MrtPlain, forms::second>,
    Combination<D3Q19, Bgk, forms::second>, Combination<D3Q19, Trt, forms::second>,
    Combination<D3Q19, MrtPlain, forms::second>, Combination<D3Q19, MrtWeighted, forms::second>,
    Combination<D3Q19, Regularised, forms::second>, Combination<D3Q27, Bgk, forms::second>,
    Combination<D3Q27, MrtWeighted, forms::second>,
    Combination<D3Q27, CentralMoments, forms::product>,
    Combination<D3Q27, Cumulants, forms::product>>;
TYPED_TEST_SUITE(Flows, FlowCombinations, NameOfCombination);

constexpr double viscosity = 0.05;

TYPED_TEST(Flows, DecayAtTheRightViscosityToSecondOrder) {
  double const coarse = taylor_green_error<typename TypeParam::Lattice>(
      collision_of<TypeParam>(viscosity), 32, viscosity);
  double const fine = taylor_green_error<typename TypeParam::Lattice>(
      collision_of<TypeParam>(viscosity), 64, viscosity);
  EXPECT_LT(std::abs(fine), 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.9);
}

TYPED_TEST(Flows, DecayAlikeAlongAxesAndDiagonals) {
  EXPECT_NEAR(shear_wave_error<typename TypeParam::Lattice>(collision_of<TypeParam>(viscosity), 32,
                                                            viscosity, 0),
              diagonal_wave_error<typename TypeParam::Lattice>(collision_of<TypeParam>(viscosity),
                                                               32, viscosity),
              3.2e-3);
}

/// The product equilibrium keeps the viscosity in a uniform flow U to fourth order. The others lack
/// the moments of third order, and lose 3 U^2 of it (D3Q13 2 U^2).
TYPED_TEST(Flows, DecayInAUniformFlowAsTheirEquilibriumLetsThem) {
  double const uniform = 0.1;
  double const lost = shear_wave_error<typename TypeParam::Lattice>(
                          collision_of<TypeParam>(viscosity), 32, viscosity, 0) -
                      shear_wave_error<typename TypeParam::Lattice>(
                          collision_of<TypeParam>(viscosity), 32, viscosity, uniform);
  if (TypeParam::form == EquilibriumForm::product) {
    EXPECT_LT(std::abs(lost), 2e-4);
  } else {
    double const factor = TypeParam::Lattice::isotropic ? 3 : 2;
    EXPECT_NEAR(lost, factor * uniform * uniform, 5e-4);
  }
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "models/lattice/velocity_sets.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

namespace tessera {
namespace {

template <class Lattice>
class VelocitySets : public testing::Test {};

struct NameOfSet {
  template <class Lattice>
  static std::string GetName(int /*index*/) {
    return Lattice::name;
  }
};
using AllSets = testing::Types<D2Q9, D3Q13, D3Q15, D3Q19, D3Q27>;
TYPED_TEST_SUITE(VelocitySets, AllSets, NameOfSet);

/// sum w c_x^i c_y^j c_z^k.
template <VelocitySet Lattice>
double moment(int i, int j, int k) {
  double sum = 0;
  for (int q = 0; q < Lattice::size; ++q) {
    double term = Lattice::weight(q);
    for (int n = 0; n < i; ++n) term *= Lattice::x(q);
    for (int n = 0; n < j; ++n) term *= Lattice::y(q);
    for (int n = 0; n < k; ++n) term *= Lattice::z(q);
    sum += term;
  }
  return sum;
}

TYPED_TEST(VelocitySets, AreNamedAfterTheirDimensionsAndSize) {
  std::string name = "D";
  name.append(std::to_string(TypeParam::dimensions));
  name.append("Q").append(std::to_string(TypeParam::size));
  EXPECT_EQ(TypeParam::name, name);
}

TYPED_TEST(VelocitySets, HaveOppositesBesideEachOtherAndNoVelocityTwice) {
  std::set<std::tuple<int, int, int>> seen;
  for (int q = 0; q < TypeParam::size; ++q) {
    int const o = TypeParam::opposite(q);
    EXPECT_EQ(o, q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1));
    EXPECT_EQ(TypeParam::x(q), -TypeParam::x(o));
    EXPECT_EQ(TypeParam::y(q), -TypeParam::y(o));
    EXPECT_EQ(TypeParam::z(q), -TypeParam::z(o));
    EXPECT_EQ(TypeParam::weight(q), TypeParam::weight(o));
    EXPECT_TRUE(seen.emplace(TypeParam::x(q), TypeParam::y(q), TypeParam::z(q)).second);
  }
}

TYPED_TEST(VelocitySets, AreIsotropicUpToSecondOrder) {
  double const cs2 = TypeParam::sound_speed_squared;
  EXPECT_DOUBLE_EQ(moment<TypeParam>(0, 0, 0), 1);
  EXPECT_DOUBLE_EQ(moment<TypeParam>(2, 0, 0), cs2);
  EXPECT_DOUBLE_EQ(moment<TypeParam>(0, 2, 0), cs2);
  EXPECT_DOUBLE_EQ(moment<TypeParam>(0, 0, 2), TypeParam::dimensions == 3 ? cs2 : 0);
  EXPECT_DOUBLE_EQ(moment<TypeParam>(1, 1, 0), 0);
}

TYPED_TEST(VelocitySets, AreIsotropicUpToFourthOrderButD3Q13) {
  double const cs4 = TypeParam::sound_speed_squared * TypeParam::sound_speed_squared;
  double const mixed = TypeParam::isotropic ? cs4 : 1.5 * cs4;
  EXPECT_DOUBLE_EQ(moment<TypeParam>(4, 0, 0), 3 * cs4);
  EXPECT_DOUBLE_EQ(moment<TypeParam>(2, 2, 0), mixed);
  EXPECT_DOUBLE_EQ(moment<TypeParam>(0, 2, 2), TypeParam::dimensions == 3 ? mixed : 0);
  EXPECT_DOUBLE_EQ(moment<TypeParam>(2, 1, 1), 0);
}

TYPED_TEST(VelocitySets, GiveTheViscosityOfARate) {
  double const nu = 0.1;
  double const tau = 1 / shear_rate<TypeParam>(nu);
  EXPECT_NEAR((tau - 0.5) * (TypeParam::isotropic ? 1.0 / 3 : 1.0 / 2), nu, 1e-15);
}

}  // namespace
}  // namespace tessera

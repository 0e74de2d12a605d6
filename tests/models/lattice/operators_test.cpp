// SPDX-License-Identifier: MIT
// Every sensible lattice x operator x equilibrium against the reference, on random states.
#include "models/lattice/operators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>

#include "tests/models/lattice/combinations.hpp"
#include "tests/reference/operators.hpp"

namespace tessera {
namespace {

using reference::Node;
using reference::Vector;

Vector reference_of(Bgk, Node const& n, Bgk::Rates<double> const& r) { return bgk(n, r.shear); }
Vector reference_of(Trt, Node const& n, Trt::Rates<double> const& r) {
  return trt(n, r.shear, r.odd);
}
template <Orthogonality orthogonality>
Vector reference_of(Mrt<orthogonality>, Node const& n, MrtRates<double> const& r) {
  return mrt(n, orthogonality == Orthogonality::weighted, r);
}
Vector reference_of(Regularised, Node const& n, Regularised::Rates<double> const& r) {
  return regularised(n, r.shear);
}
Vector reference_of(CentralMoments, Node const& n, CentralRates<double> const& r) {
  return central_moments(n, r.shear, r.bulk, r.third, r.higher);
}
Vector reference_of(Cumulants, Node const& n, CentralRates<double> const& r) {
  return cumulants(n, r.shear, r.bulk, r.third);
}
/// MRT leaves every group but the stresses its own rate, the normal ones follow the shear rate.
template <class Rates>
void set_shear(Rates& rates, double shear) {
  rates.shear = shear;
  if constexpr (requires { rates.normal; }) rates.normal = shear;
}
template <class Operator>
Vector reference_of(Smagorinsky<Operator>, Node const& n,
                    typename Smagorinsky<Operator>::template Rates<double> const& r) {
  auto rates = r.laminar;
  set_shear(rates, reference::smagorinsky_rate(n, r.shear, r.constant_squared));
  return reference_of(Operator{}, n, rates);
}

using Force = std::array<double, 3>;
constexpr Force force{1e-2, -2e-2, 5e-3};
Force force_in(reference::Set const& set) {
  return {force[0], force[1], set.dimensions == 3 ? force[2] : 0.0};
}

/// A combination; its functions take all shifted populations of a node.
struct Case {
  std::string name;
  reference::Set set;
  EquilibriumForm form;
  void (*collide)(double*, Force const&);
  void (*collide_lanes)(double*);  ///< of two nodes, two at a time
  Vector (*reference)(Node const&);
};

/// As ctest lists it.
[[maybe_unused]] void PrintTo(Case const& one, std::ostream* out) { *out << one.name; }

template <class C, class Real>
void collide_all(Real* populations, Force const& g) {
  constexpr int size = C::Lattice::size;
  Real f[size];
  std::copy_n(populations, size, f);
  NodeParameters<typename C::Operator, double> const parameters{
      some_rates<typename C::Operator, typename C::Lattice>(), {g[0], g[1], g[2]}};
  collide<typename C::Lattice, typename C::Operator, C::form>(f, parameters);
  std::copy_n(f, size, populations);
}

template <class C>
void collide_lanes(double* two_nodes) {
  using Lanes [[gnu::vector_size(16)]] = double;
  constexpr std::size_t size = C::Lattice::size;
  Lanes f[size];
  for (std::size_t q = 0; q < size; ++q) f[q] = Lanes{two_nodes[q], two_nodes[size + q]};
  collide_all<C>(f, force);
  for (std::size_t q = 0; q < size; ++q) two_nodes[q] = f[q][0], two_nodes[size + q] = f[q][1];
}

template <class C>
Case case_of() {
  return {NameOfCombination::GetName<C>(0),
          reference::set_of<typename C::Lattice>(),
          C::form,
          collide_all<C, double>,
          collide_lanes<C>,
          [](Node const& n) {
            return reference_of(typename C::Operator{}, n,
                                some_rates<typename C::Operator, typename C::Lattice>());
          }};
}
template <class... C>
std::vector<Case> cases_of(testing::Types<C...>) {
  return {case_of<C>()...};
}

class Operators : public testing::TestWithParam<Case> {
 public:
  /// Random shifted populations, far from equilibrium.
  Vector random(reference::Set const& set) {
    Vector f;
    for (double w : set.w) f.push_back(w * std::uniform_real_distribution(-0.3, 0.3)(generator_));
    return f;
  }

 private:
  std::mt19937 generator_{7};
};
INSTANTIATE_TEST_SUITE_P(All, Operators, testing::ValuesIn(cases_of(AllCombinations{})),
                         [](auto const& one) { return one.param.name; });

void expect_near(Vector const& a, Vector const& b) {
  for (std::size_t q = 0; q < a.size(); ++q) EXPECT_NEAR(a[q], b[q], 2e-15) << q;
}

TEST_P(Operators, AreEquivalentToTheReference) {
  auto const& [name, set, form, collide, lanes, reference] = GetParam();
  Force const g = force_in(set);
  for (int i = 0; i < 5; ++i) {
    Vector f = random(set);
    Vector whole = f;
    for (std::size_t q = 0; q < set.size(); ++q) whole[q] += set.w[q];
    Vector const expected = reference(reference::node(set, form, whole, g));
    collide(f.data(), g);
    for (std::size_t q = 0; q < set.size(); ++q) f[q] += set.w[q];
    expect_near(f, expected);
  }
}

TEST_P(Operators, KeepMassAndAddTheForceToTheMomentum) {
  auto const& [name, set, form, collide, lanes, reference] = GetParam();
  Force const g = force_in(set);
  Vector f = random(set);
  auto measure = [&, &velocities = set.c] {
    Vector m(4, 0.0);
    for (std::size_t q = 0; q < f.size(); ++q) {
      m[3] += f[q];
      for (std::size_t a = 0; a < 3; ++a) m[a] += velocities[q][a] * f[q];
    }
    return m;
  };
  Vector expected = measure();
  double const density = form == EquilibriumForm::linear ? 1 : 1 + expected[3];
  for (std::size_t a = 0; a < 3; ++a) expected[a] += density * g[a];
  collide(f.data(), g);
  expect_near(measure(), expected);
}

TEST_P(Operators, LeaveTheEquilibriumAlone) {
  auto const& [name, set, form, collide, lanes, reference] = GetParam();
  Vector const f_eq =
      reference::equilibrium(set, form, 1.02, {0.05, -0.03, set.dimensions == 3 ? 0.02 : 0.0});
  Vector f = f_eq;
  for (std::size_t q = 0; q < set.size(); ++q) f[q] -= set.w[q];
  collide(f.data(), {0, 0, 0});
  for (std::size_t q = 0; q < set.size(); ++q) f[q] += set.w[q];
  expect_near(f, f_eq);
}

/// Turned by a quarter about z, or mirrored in x, or, in three dimensions, axes in turn; with the
/// force turned along.
TEST_P(Operators, DoNotKnowTheAxesApart) {
  auto const& [name, set, form, collide, lanes, reference] = GetParam();
  for (int turn = 0; turn < set.dimensions; ++turn) {
    auto turned = [&](Force const& v) -> Force {
      if (turn == 0) return {-v[1], v[0], v[2]};
      if (turn == 1) return {-v[0], v[1], v[2]};
      return {v[1], v[2], v[0]};
    };
    Vector f = random(set);
    std::vector<std::size_t> image;
    Vector g(set.size());
    for (std::size_t q = 0; q < set.size(); ++q) {
      auto const found = std::find(set.c.begin(), set.c.end(), turned(set.c[q]));
      image.push_back(static_cast<std::size_t>(found - set.c.begin()));
      g[image[q]] = f[q];
    }
    collide(f.data(), force_in(set));
    collide(g.data(), turned(force_in(set)));
    for (std::size_t q = 0; q < set.size(); ++q) EXPECT_NEAR(g[image[q]], f[q], 1e-15);
  }
}

TEST_P(Operators, OfAVectorAreThoseOfItsLanes) {
  auto const& [name, set, form, collide, lanes, reference] = GetParam();
  Vector first = random(set), second = random(set);
  Vector both = first;
  both.insert(both.end(), second.begin(), second.end());
  lanes(both.data());
  collide(first.data(), force);
  collide(second.data(), force);
  first.insert(first.end(), second.begin(), second.end());
  expect_near(both, first);
}

}  // namespace
}  // namespace tessera

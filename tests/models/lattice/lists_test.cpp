// SPDX-License-Identifier: MIT
// That each list names all that there is, once, and that what refers to it is in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/lattice/known_models.hpp"
#include "models/lattice/model_names.hpp"
#include "models/lattice/models.hpp"

namespace tessera {
namespace {

template <class Names>
void expect_both_ways(Names const& names) {
  std::set<std::string_view> seen;
  for (auto const& [name, value] : names) {
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_EQ(name_in(names, value), name);
    EXPECT_EQ(named(names, name), value);
  }
  EXPECT_FALSE(named(names, "nothing"));
}

TEST(Names, LeadToTheirValuesAndBack) {
  expect_both_ways(lattice_names);
  expect_both_ways(collision_names);
  expect_both_ways(equilibrium_names);
  expect_both_ways(precision_names);
  EXPECT_EQ(precision_names.size(), std::size_t{precisions});
}

TEST(VelocitySets, HaveTheKindOfTheirLine) {
  EXPECT_EQ(kind_of<D2Q9>, LatticeKind::d2q9);
  EXPECT_EQ(kind_of<D3Q27>, LatticeKind::d3q27);
  for (auto const& [name, kind] : lattice_names) {
    EXPECT_EQ(velocities_of(kind).name, name);
    EXPECT_LE(velocities_of(kind).size, most_velocities);
  }
}

TEST(CollisionOperators, HaveRatesThatThereAre) {
  for (CollisionTraits const& row : collision_operators) {
    EXPECT_EQ(traits_of(row.kind).name, row.name);
    for (std::string_view const rate : row.rates) {
      if (rate.empty()) continue;
      EXPECT_NE(std::ranges::find(relaxation_rates, rate, &RelaxationRate::name),
                relaxation_rates.end())
          << row.name << ' ' << rate;
    }
  }
}

TEST(CollisionOperators, TakeTheirRatesFromTheParametersOfAll) {
  FlowParameters p;
  p.shear = 1.1;
  p.odd = 1.2;
  p.bulk = 1.3;
  p.third = 1.4;
  p.higher = 1.5;
  p.energy_flux = 1.6;
  p.smagorinsky_squared = 0.01;
  EXPECT_EQ(Trt::rates<double>(p).odd, 1.2);
  EXPECT_EQ(Cumulants::rates<double>(p).bulk, 1.3);
  EXPECT_EQ(CentralMoments::rates<double>(p).higher, 1.5);
  EXPECT_EQ(Mrt<Orthogonality::weighted>::rates<double>(p).energy_flux, 1.6);
  EXPECT_EQ(Smagorinsky<Cumulants>::rates<double>(p).laminar.third, 1.4);
  EXPECT_EQ(Smagorinsky<Cumulants>::rates<double>(p).constant_squared, 0.01);
  EXPECT_EQ(Smagorinsky<Cumulants>::kind, CollisionOperator::cumulants);
}

TEST(KnownModels, AreThoseOfTheList) {
  for (auto const& [name, lattice] : lattice_names) {
    for (FlowModel const& model : models_on(lattice)) EXPECT_TRUE(is_known(model)) << name;
  }
  EXPECT_TRUE(is_known({LatticeKind::d2q9, CollisionOperator::bgk, EquilibriumForm::linear}));
  EXPECT_FALSE(is_known({LatticeKind::d2q9, CollisionOperator::trt, EquilibriumForm::product}));
  EXPECT_FALSE(is_known({LatticeKind::d3q13, CollisionOperator::trt, EquilibriumForm::linear}));
}

/// A permeability is of creeping flow, a case is of Navier and Stokes unless it says something
/// else.
TEST(UsualEquilibrium, IsKnownWhereTheOperatorIs) {
  using enum CollisionOperator;
  EXPECT_EQ(usual_equilibrium(trt, Purpose::permeability), EquilibriumForm::linear);
  EXPECT_EQ(usual_equilibrium(trt, Purpose::case_file), EquilibriumForm::second_order);
  EXPECT_EQ(usual_equilibrium(cumulants, Purpose::permeability), EquilibriumForm::product);
  EXPECT_EQ(usual_equilibrium(cumulants, Purpose::case_file), EquilibriumForm::product);
  for (auto const& [lattice_name, lattice] : lattice_names) {
    for (auto const& [name, collision] : collision_names) {
      if (equilibria_for(lattice, collision).empty()) continue;
      EXPECT_TRUE(is_known({lattice, collision, usual_equilibrium(collision, Purpose::case_file)}))
          << lattice_name << ' ' << name;
    }
  }
}

}  // namespace
}  // namespace tessera

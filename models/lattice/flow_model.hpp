// SPDX-License-Identifier: MIT
// The parts of a node update, chosen while the program runs: velocity set, collision operator,
// equilibrium; and its parameters. The table of operators has what else differs between operators
// outside the node update itself.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/lattice/equilibrium_form.hpp"
#include "models/lattice/lattice_kind.hpp"

namespace tessera {

enum class CollisionOperator : std::uint8_t {
  bgk,
  trt,
  mrt,           ///< orthogonal moments
  mrt_weighted,  ///< moments orthogonal with the weights of the set
  regularised,
  central_moments,
  cumulants
};

struct FlowModel {
  LatticeKind lattice = LatticeKind::d3q19;
  CollisionOperator collision = CollisionOperator::trt;
  EquilibriumForm equilibrium = EquilibriumForm::linear;
  bool smagorinsky = false;  ///< large-eddy simulation

  constexpr bool operator==(FlowModel const&) const = default;
};

/// Parameters of a node update, in lattice units. Operators take the rates that they have and
/// ignore the others.
struct FlowParameters {
  double shear = 1;  ///< 1 / tau, which sets the viscosity
  double odd = 1;    ///< TRT: of the odd half
  // Multiple relaxation times, by MomentGroup; central moments and cumulants have bulk, third and
  // higher.
  double normal = 1;
  double bulk = 1;
  double energy_squared = 1;
  double energy_flux = 1;
  double fourth_stress = 1;
  double third = 1;
  double higher = 1;
  double smagorinsky_squared = 0;  ///< C^2
  double force[3] = {};            ///< body force per mass
};

/// A relaxation rate that users may set, with its name.
struct RelaxationRate {
  std::string_view name;
  double FlowParameters::*rate;
  std::string_view meaning;       ///< for users
  bool of_anisotropic_sets_only;  ///< other sets take the rate of the shear stresses
};
inline constexpr std::array<RelaxationRate, 8> relaxation_rates{
    {{"bulk", &FlowParameters::bulk,
      "mrt, mrt-weighted, central-moments, cumulants: trace of the stresses.", false},
     {"energy-squared", &FlowParameters::energy_squared, "mrt, mrt-weighted.", false},
     {"energy-flux", &FlowParameters::energy_flux, "mrt, mrt-weighted.", false},
     {"fourth-stress", &FlowParameters::fourth_stress,
      "mrt, mrt-weighted: even moments of fourth order and above.", false},
     {"third", &FlowParameters::third,
      "mrt, mrt-weighted, central-moments, cumulants: odd moments of third order.", false},
     {"odd", &FlowParameters::odd, "trt: the odd half, instead of `magic`.", false},
     {"normal", &FlowParameters::normal, "mrt on D3Q13: normal stresses.", true},
     {"higher", &FlowParameters::higher, "central-moments: fourth order and above.", false}}};

/// The values of rates that the user does not set, other than the rate of the shear stresses.
enum class UnsetRates : std::uint8_t {
  shear,  ///< the rate of the shear stresses
  magic,  ///< even moments: the rate of the shear stresses; odd ones: by the magic number
  one     ///< 1: to equilibrium in one step
};

/// Differences between operators outside the node update.
struct CollisionTraits {
  CollisionOperator kind;
  std::string_view name;  ///< what users call it
  UnsetRates unset;
  /// Whether its moments are made for the product equilibrium, which is its usual one then.
  bool of_all_triples;
  std::array<std::string_view, 6> rates;  ///< that users may set; empty ones fill the end
};
/// One row an operator; options and messages name them in this order.
inline constexpr std::array<CollisionTraits, 7> collision_operators{
    {{CollisionOperator::bgk, "bgk", UnsetRates::shear, false, {}},
     {CollisionOperator::trt, "trt", UnsetRates::magic, false, {"odd"}},
     {CollisionOperator::mrt,
      "mrt",
      UnsetRates::magic,
      false,
      {"bulk", "energy-squared", "energy-flux", "fourth-stress", "third", "normal"}},
     {CollisionOperator::mrt_weighted,
      "mrt-weighted",
      UnsetRates::magic,
      false,
      {"bulk", "energy-squared", "energy-flux", "fourth-stress", "third", "normal"}},
     {CollisionOperator::regularised, "regularised", UnsetRates::shear, false, {}},
     {CollisionOperator::central_moments,
      "central-moments",
      UnsetRates::one,
      true,
      {"bulk", "third", "higher"}},
     {CollisionOperator::cumulants, "cumulants", UnsetRates::one, true, {"bulk", "third"}}}};

constexpr CollisionTraits const& traits_of(CollisionOperator collision) {
  for (CollisionTraits const& row : collision_operators) {
    if (row.kind == collision) return row;
  }
  return collision_operators.front();
}

/// The purpose of a flow.
enum class Purpose : std::uint8_t {
  permeability,  ///< of a rock: creeping flow, whose permeability does not depend on the force
  case_file      ///< a flow for its own sake, at whatever Reynolds number
};

/// The equilibrium where the user sets none: the one that the operator's moments are made for,
/// otherwise by the purpose.
constexpr EquilibriumForm usual_equilibrium(CollisionOperator collision, Purpose purpose) {
  if (traits_of(collision).of_all_triples) return EquilibriumForm::product;
  return purpose == Purpose::permeability ? EquilibriumForm::linear : EquilibriumForm::second_order;
}

/// Rate of the odd half for a relaxation time tau > 1/2 and the magic number
/// Lambda = (tau - 1/2)(1/odd - 1/2) > 0, which sets where the bounce-back wall stands.
constexpr double odd_rate(double tau, double magic) { return 1.0 / (0.5 + magic / (tau - 0.5)); }

/// Parameters for a relaxation time tau > 1/2 of the shear stresses and a magic number, which is
/// ignored by operators whose other rates do not depend on it. MRT: all even moments relax like the
/// shear stresses, all odd ones at odd_rate(): so walls stand where they do with TRT, and the
/// permeability does not depend on the viscosity.
constexpr FlowParameters flow_parameters(FlowModel const& model, double tau, double magic,
                                         double const (&force)[3]) {
  FlowParameters p;
  p.shear = 1.0 / tau;
  for (int a = 0; a < 3; ++a) p.force[a] = force[a];
  UnsetRates const unset = traits_of(model.collision).unset;
  if (unset == UnsetRates::one) return p;
  p.odd = unset == UnsetRates::magic ? odd_rate(tau, magic) : p.shear;
  p.bulk = p.energy_squared = p.fourth_stress = p.shear;
  p.energy_flux = p.third = p.odd;
  // D'Humieres, Bouzidi, Lallemand 2001: 1/normal - 1/2 = 2 (1/shear - 1/2).
  p.normal = velocities_of(model.lattice).isotropic ? p.shear : 2 * p.shear / (4 - p.shear);
  return p;
}

}  // namespace tessera

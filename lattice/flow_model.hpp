// SPDX-License-Identifier: MIT
// What a node update is made of, chosen while the program runs: velocity set, collision operator,
// equilibrium; and all that it needs to know.
#pragma once

#include <cstdint>

#include "lattice/equilibrium_form.hpp"
#include "lattice/lattice_kind.hpp"

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

/// What an operator is usually run with: what its moments are made for, else creeping flow.
constexpr EquilibriumForm usual_equilibrium(CollisionOperator collision) {
  bool const of_all_triples =
      collision == CollisionOperator::central_moments || collision == CollisionOperator::cumulants;
  return of_all_triples ? EquilibriumForm::product : EquilibriumForm::linear;
}

/// In lattice units. Operators take the rates that they have and leave the others.
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

/// Rate of the odd half for a relaxation time tau > 1/2 and the magic number
/// Lambda = (tau - 1/2)(1/odd - 1/2) > 0, which sets where the bounce-back wall stands.
constexpr double odd_rate(double tau, double magic) { return 1.0 / (0.5 + magic / (tau - 0.5)); }

/// Parameters for a relaxation time tau > 1/2 of the shear stresses and a magic number, which BGK
/// and the regularised operator disregard. MRT: all even moments relax like the shear stresses, all
/// odd ones at odd_rate(): so walls stand where TRT's do, and the permeability does not depend on
/// the viscosity. Central moments and cumulants: all rates but that of the shear stresses 1.
constexpr FlowParameters flow_parameters(FlowModel const& model, double tau, double magic,
                                         double const (&force)[3]) {
  FlowParameters p;
  p.shear = 1.0 / tau;
  for (int a = 0; a < 3; ++a) p.force[a] = force[a];
  if (usual_equilibrium(model.collision) == EquilibriumForm::product) return p;
  p.odd = model.collision == CollisionOperator::bgk ? p.shear : odd_rate(tau, magic);
  p.bulk = p.energy_squared = p.fourth_stress = p.shear;
  p.energy_flux = p.third = p.odd;
  // D'Humieres, Bouzidi, Lallemand 2001: 1/normal - 1/2 = 2 (1/shear - 1/2).
  p.normal = model.lattice == LatticeKind::d3q13 ? 2 * p.shear / (4 - p.shear) : p.shear;
  return p;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Large-eddy simulation: any operator with the viscosity of Smagorinsky's model added in each node.
// Hou, Sterling, Chen, Doolen, Fields Inst. Commun. 6 (1996) 151.
//
// The strain rate is the momentum flux Pi that is missing to equilibrium, over the total relaxation
// time tau_t itself: S = Pi / (2 rho c_s^2 tau_t). With nu_t = C^2 sqrt(2 S:S) this is a quadratic
// equation, tau_t = (tau + sqrt(tau^2 + 2 sqrt(2) C^2 sqrt(Pi:Pi) / (rho c_s^4))) / 2.
#pragma once

#include "base/square_root.hpp"
#include "models/lattice/flow_model.hpp"
#include "models/lattice/stress.hpp"

namespace tessera {

template <class Operator>
struct Smagorinsky {
  template <class Scalar>
  struct Rates {
    typename Operator::template Rates<Scalar> laminar;
    Scalar shear;             ///< 1 / tau without the model
    Scalar constant_squared;  ///< C^2, C about 0.1 to 0.2, of a filter one node wide
  };
  static constexpr CollisionOperator kind = Operator::kind;
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Rates<Scalar> rates(FlowParameters const& p) {
    return {Operator::template rates<Scalar>(p), static_cast<Scalar>(p.shear),
            static_cast<Scalar>(p.smagorinsky_squared)};
  }
  template <VelocitySet Lattice, EquilibriumForm form>
  static constexpr bool suits = Lattice::isotropic&& form !=
                                EquilibriumForm::linear&& Operator::template suits<Lattice, form>;

  /// The rate 1 / tau_t of a node.
  template <VelocitySet Lattice, class Real, class Scalar>
  TESSERA_HOST_DEVICE static constexpr Real total_rate(Halves<Lattice, Real> const& n,
                                                       Macroscopic<Lattice, Real> const& state,
                                                       Rates<Scalar> const& rates) {
    constexpr double cs2 = Lattice::sound_speed_squared;
    constexpr auto two_root_two_over_cs4 = static_cast<Scalar>(2.8284271247461900976 / (cs2 * cs2));
    auto const flux = momentum_flux<Lattice, Scalar>(n);
    Real norm = flux.diagonal[0] * flux.diagonal[0];
    for (int a = 1; a < Lattice::dimensions; ++a) norm += flux.diagonal[a] * flux.diagonal[a];
    Real off = flux.off[0] * flux.off[0];
    for (int i = 1; i < flux.pairs_of_axes; ++i) off += flux.off[i] * flux.off[i];
    norm = square_root(norm + Scalar{2} * off);
    Scalar const tau = Scalar{1} / rates.shear;
    Real const added = (two_root_two_over_cs4 * rates.constant_squared) * norm * state.specific;
    return Scalar{2} / (tau + square_root(tau * tau + added));
  }

  template <VelocitySet Lattice, class Real, class Rate, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void relax(Halves<Lattice, Real>& n,
                                                  Macroscopic<Lattice, Real> const& state,
                                                  Rate const& /*shear*/,
                                                  Rates<Scalar> const& rates) {
    Operator::relax(n, state, total_rate(n, state, rates), rates.laminar);
  }
};

template <class Operator>
inline constexpr bool has_smagorinsky = false;
template <class Operator>
inline constexpr bool has_smagorinsky<Smagorinsky<Operator>> = true;

}  // namespace tessera

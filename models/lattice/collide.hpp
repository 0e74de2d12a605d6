// SPDX-License-Identifier: MIT
// The node update, composed of independent parts: a velocity set, an equilibrium with its force,
// and a collision operator.
//
// With n = f_eq - F/2 - f, what the node lacks to equilibrium, a collision with a force of second
// order is f <- f + R(n) + F for every operator R: n has neither mass nor momentum, so R need only
// keep it so. BGK is R(n) = n / tau, MRT R(n) = M^-1 S M n; TRT, regularised and central moments
// are other linear maps, the map of cumulants is not linear. (models/lattice/collision.hpp is D3Q19
// with TRT written out.)
//
// An operator is a type with
//   kind                               which CollisionOperator it is
//   Rates<Scalar>                      its rates; with one called shear, 1 / tau
//   rates<Scalar>(FlowParameters)      those of these parameters
//   suits<Lattice, form>               whether they go together
//   relax(n, macroscopic, shear, rates)  replaces n by R(n); `shear` takes the place of
//                                      rates.shear, and may be another one in every node
#pragma once

#include "models/lattice/equilibrium.hpp"

namespace tessera {

/// Parameters of the node update, in lattice units.
template <class Operator, class Scalar>
struct NodeParameters {
  typename Operator::template Rates<Scalar> rates;
  Scalar force[3];  ///< body force per mass
};

/// Collides the shifted populations f_q - w_q of one node (Real a number) or of one node a lane
/// (Real a SIMD vector), in place.
template <VelocitySet Lattice, class Operator, EquilibriumForm form, class Real, class Scalar>
TESSERA_HOST_DEVICE constexpr void collide(Real (&f)[Lattice::size],
                                           NodeParameters<Operator, Scalar> const& parameters) {
  static_assert(Operator::template suits<Lattice, form>);
  auto halves = split<Lattice, Scalar>(f);
  auto const state = macroscopic<form>(halves, parameters.force);
  auto missing = equilibrium_less_half_force<form>(state, parameters.force);
  scale(halves, Scalar{-1}, Scalar{-1});
  add(missing, halves);
  Operator::relax(missing, state, parameters.rates.shear, parameters.rates);
  add(missing, force_populations<form>(state, parameters.force));
  // The population at rest loses what the pairs gain, so rounding adds no mass
  // (models/lattice/collision.hpp).
  missing.rest = Scalar{-2} * combination<MassCoefficients<Lattice>, Scalar>(missing.even);
  add<Lattice>(f, missing);
}

}  // namespace tessera

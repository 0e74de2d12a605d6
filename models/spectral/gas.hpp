// SPDX-License-Identifier: MIT
// The Euler equations of a perfect gas: states and fluxes.
//
// Five conserved variables, in two dimensions too (the third momentum is 0 there): density,
// momentum, total energy, all of a volume.
#pragma once

#include "models/spectral/lanes.hpp"

namespace tessera::spectral {

inline constexpr int variables = 5;
/// Places of the variables in a State.
inline constexpr int density = 0;
inline constexpr int momentum = 1;
inline constexpr int energy = 4;

/// Conserved variables; also their fluxes and rates.
template <class Real>
struct State {
  Real value[variables];

  TESSERA_HOST_DEVICE Real& operator[](int variable) { return value[variable]; }
  TESSERA_HOST_DEVICE Real const& operator[](int variable) const { return value[variable]; }
};

template <class Real>
struct Primitive {
  Real density;
  Real velocity[3];
  Real pressure;
};

/// A perfect gas: gamma is the ratio of its heat capacities. p = (gamma - 1) (rho E - rho u^2 / 2).
template <class N>
struct Gas {
  N gamma = static_cast<N>(1.4);
  TESSERA_HOST_DEVICE N gamma_less_1() const { return gamma - 1; }
};

template <class Real>
TESSERA_HOST_DEVICE Real dot(Real const (&a)[3], Real const (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Primitive variables of a state; `volume`: specific volume, 1 / density.
template <class Real>
TESSERA_HOST_DEVICE Primitive<Real> primitive(State<Real> const& q, Real const& volume,
                                              Gas<Number<Real>> gas) {
  constexpr auto half = static_cast<Number<Real>>(0.5);
  Primitive<Real> result{q[density], {q[1] * volume, q[2] * volume, q[3] * volume}, q[energy]};
  Real const(&u)[3] = result.velocity;
  result.pressure =
      gas.gamma_less_1() * (q[energy] - half * (q[1] * u[0] + q[2] * u[1] + q[3] * u[2]));
  return result;
}
template <class Real>
TESSERA_HOST_DEVICE Primitive<Real> primitive(State<Real> const& q, Gas<Number<Real>> gas) {
  return primitive<Real>(q, Number<Real>{1} / q[density], gas);
}

template <class Real>
TESSERA_HOST_DEVICE State<Real> conserved(Primitive<Real> const& state, Gas<Number<Real>> gas) {
  constexpr auto half = static_cast<Number<Real>>(0.5);
  Real const(&u)[3] = state.velocity;
  return {{state.density, state.density * u[0], state.density * u[1], state.density * u[2],
           state.pressure / gas.gamma_less_1() + half * state.density * dot(u, u)}};
}

/// Speed of pressure waves.
template <class Real>
TESSERA_HOST_DEVICE Real sound_speed(Primitive<Real> const& state, Gas<Number<Real>> gas) {
  return square_root(gas.gamma * state.pressure / state.density);
}

/// The flux through an area S, times its size, which is 1 for a unit vector. `state`: the primitive
/// variables of q.
template <class Real>
TESSERA_HOST_DEVICE State<Real> flux(State<Real> const& q, Primitive<Real> const& state,
                                     Real const (&area)[3]) {
  Real const through = dot(state.velocity, area);
  Real const p = state.pressure;
  return {{q[0] * through, q[1] * through + p * area[0], q[2] * through + p * area[1],
           q[3] * through + p * area[2], (q[4] + p) * through}};
}
template <class Real>
TESSERA_HOST_DEVICE State<Real> flux(State<Real> const& q, Real const (&area)[3],
                                     Gas<Number<Real>> gas) {
  return flux(q, primitive(q, gas), area);
}

}  // namespace tessera::spectral

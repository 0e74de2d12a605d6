// SPDX-License-Identifier: MIT
// The common flux of two states that meet at a face: approximate Riemann solvers. `n` is a unit
// vector from left to right. Numbers refer to E. F. Toro, Riemann Solvers and Numerical Methods for
// Fluid Dynamics, 3rd edition.
#pragma once

#include <cstdint>

#include "models/spectral/gas.hpp"

namespace tessera::spectral {

enum class RiemannSolver : std::uint8_t { roe, hllc, rusanov };

namespace detail {

/// A state that meets another one.
template <class Real>
struct Side {
  State<Real> const& q;
  Real volume;  ///< specific volume
  Primitive<Real> primitives;

  TESSERA_HOST_DEVICE Side(State<Real> const& state, Gas<Number<Real>> gas)
      : q(state),
        volume(Number<Real>{1} / state[density]),
        primitives(primitive(state, volume, gas)) {}
  TESSERA_HOST_DEVICE Real enthalpy() const { return (q[energy] + primitives.pressure) * volume; }
};

/// Roe's averages.
template <class Real>
struct RoeAverage {
  Real velocity[3];
  Real enthalpy;
  Real sound_speed_squared;
  Real weight;  ///< of the right state, relative to that of the left one
};

template <class Real>
TESSERA_HOST_DEVICE RoeAverage<Real> roe_average(Side<Real> const& left, Side<Real> const& right,
                                                 Gas<Number<Real>> gas) {
  using N = Number<Real>;
  RoeAverage<Real> mean{};
  mean.weight = square_root(right.q[density] * left.volume);
  Real const share = N{1} / (N{1} + mean.weight);
  for (int a = 0; a < 3; ++a)
    mean.velocity[a] =
        (left.primitives.velocity[a] + mean.weight * right.primitives.velocity[a]) * share;
  mean.enthalpy = (left.enthalpy() + mean.weight * right.enthalpy()) * share;
  mean.sound_speed_squared =
      gas.gamma_less_1() *
      (mean.enthalpy - static_cast<N>(0.5) * dot(mean.velocity, mean.velocity));
  return mean;
}

}  // namespace detail

/// Roe (1981), in the form of Toro 11.2. `fix`: below this share of the speed of sound the speeds
/// of acoustic waves are smoothed (Harten); 0: no fix.
template <class Real>
TESSERA_HOST_DEVICE State<Real> roe(State<Real> const& left, State<Real> const& right,
                                    Real const (&n)[3], Gas<Number<Real>> gas, Number<Real> fix) {
  using N = Number<Real>;
  constexpr auto half = static_cast<N>(0.5);
  detail::Side<Real> const on_left(left, gas);
  detail::Side<Real> const on_right(right, gas);
  Primitive<Real> const& l = on_left.primitives;
  Primitive<Real> const& r = on_right.primitives;
  detail::RoeAverage<Real> const mean = detail::roe_average(on_left, on_right, gas);
  Real const(&u)[3] = mean.velocity;
  Real const c2 = mean.sound_speed_squared;
  Real const c = square_root(c2);
  Real const per_c2 = N{1} / c2;
  Real const un = dot(u, n);
  Real const rho = mean.weight * l.density;

  Real const density_jump = r.density - l.density;
  Real const pressure_jump = r.pressure - l.pressure;
  Real velocity_jump[3];
  for (int a = 0; a < 3; ++a) velocity_jump[a] = r.velocity[a] - l.velocity[a];
  Real const normal_jump = dot(velocity_jump, n);

  Real down = magnitude(un - c);  // speeds of the two acoustic waves
  Real up = magnitude(un + c);
  if (fix > N{0}) {
    Real const limit = fix * c;
    down = down < limit ? half * (down * down / limit + limit) : down;
    up = up < limit ? half * (up * up / limit + limit) : up;
  }
  Real const impulse = rho * c * normal_jump;
  Real const a1 = down * (pressure_jump - impulse) * half * per_c2;
  Real const a5 = up * (pressure_jump + impulse) * half * per_c2;
  Real const a2 = magnitude(un) * (density_jump - pressure_jump * per_c2);
  Real const a3 = magnitude(un) * rho;
  Real const sum = a1 + a2 + a5;
  Real const difference = (a5 - a1) * c;

  State<Real> dissipated{};
  Real shear_work{};
  for (int a = 0; a < 3; ++a) {
    Real const shear = velocity_jump[a] - normal_jump * n[a];
    shear_work += u[a] * shear;
    dissipated[1 + a] = sum * u[a] + difference * n[a] + a3 * shear;
  }
  dissipated[density] = sum;
  dissipated[energy] =
      (a1 + a5) * mean.enthalpy + difference * un + a2 * (half * dot(u, u)) + a3 * shear_work;
  State<Real> const fl = flux(left, l, n);
  State<Real> const fr = flux(right, r, n);
  State<Real> result{};
  for (int v = 0; v < variables; ++v) result[v] = half * (fl[v] + fr[v] - dissipated[v]);
  return result;
}

/// Rusanov (local Lax-Friedrichs), Toro 10.5.1: the simplest and most dissipative.
template <class Real>
TESSERA_HOST_DEVICE State<Real> rusanov(State<Real> const& left, State<Real> const& right,
                                        Real const (&n)[3], Gas<Number<Real>> gas) {
  Primitive<Real> const l = primitive(left, gas);
  Primitive<Real> const r = primitive(right, gas);
  Real const speed = larger<Real>(magnitude<Real>(dot(l.velocity, n)) + sound_speed(l, gas),
                                  magnitude<Real>(dot(r.velocity, n)) + sound_speed(r, gas));
  State<Real> const fl = flux(left, l, n);
  State<Real> const fr = flux(right, r, n);
  State<Real> result{};
  for (int v = 0; v < variables; ++v)
    result[v] = static_cast<Number<Real>>(0.5) * (fl[v] + fr[v] - speed * (right[v] - left[v]));
  return result;
}

/// HLLC, Toro 10.4, with wave speeds from Roe's averages (Einfeldt 1988).
template <class Real>
TESSERA_HOST_DEVICE State<Real> hllc(State<Real> const& left, State<Real> const& right,
                                     Real const (&n)[3], Gas<Number<Real>> gas) {
  detail::Side<Real> const on_left(left, gas);
  detail::Side<Real> const on_right(right, gas);
  Primitive<Real> const& l = on_left.primitives;
  Primitive<Real> const& r = on_right.primitives;
  detail::RoeAverage<Real> const mean = detail::roe_average(on_left, on_right, gas);
  Real const un = dot(mean.velocity, n);
  Real const c = square_root(mean.sound_speed_squared);
  Real const un_left = dot(l.velocity, n);
  Real const un_right = dot(r.velocity, n);
  Real const slowest = smaller<Real>(un_left - sound_speed(l, gas), un - c);
  Real const fastest = larger<Real>(un_right + sound_speed(r, gas), un + c);
  Real const mass_left = l.density * (slowest - un_left);
  Real const mass_right = r.density * (fastest - un_right);
  Real const middle = (r.pressure - l.pressure + mass_left * un_left - mass_right * un_right) /
                      (mass_left - mass_right);
  // The flux beside the contact, on the side of one of the states.
  auto const beside = [&](State<Real> const& q, Primitive<Real> const& s, State<Real> const& f,
                          Real normal_speed, Real mass, Real wave) {
    Real const rho = mass / (wave - middle);
    State<Real> star{};
    star[density] = rho;
    for (int a = 0; a < 3; ++a)
      star[1 + a] = rho * (s.velocity[a] + (middle - normal_speed) * n[a]);
    star[energy] =
        rho * (q[energy] / s.density + (middle - normal_speed) * (middle + s.pressure / mass));
    State<Real> result{};
    for (int v = 0; v < variables; ++v) result[v] = f[v] + wave * (star[v] - q[v]);
    return result;
  };
  State<Real> const fl = flux(left, l, n);
  State<Real> const fr = flux(right, r, n);
  State<Real> const sl = beside(left, l, fl, un_left, mass_left, slowest);
  State<Real> const sr = beside(right, r, fr, un_right, mass_right, fastest);
  State<Real> result{};
  for (int v = 0; v < variables; ++v) {
    Real const from_right = fastest > Real{} ? sr[v] : fr[v];
    Real const from_left = slowest < Real{} ? sl[v] : fl[v];
    result[v] = middle < Real{} ? from_right : from_left;
  }
  return result;
}

/// The common flux along a unit vector.
template <class Real>
TESSERA_HOST_DEVICE State<Real> common_flux_along(RiemannSolver solver, State<Real> const& left,
                                                  State<Real> const& right, Real const (&n)[3],
                                                  Gas<Number<Real>> gas, Number<Real> fix) {
  switch (solver) {
    case RiemannSolver::hllc:
      return hllc(left, right, n, gas);
    case RiemannSolver::rusanov:
      return rusanov(left, right, n, gas);
    default:
      return roe(left, right, n, gas, fix);
  }
}

/// An area as a unit vector and its size.
template <class Real>
struct Direction {
  Real n[3];
  Real size;
};
template <class Real>
TESSERA_HOST_DEVICE Direction<Real> direction_of(Real const (&area)[3]) {
  Real const size = square_root(dot(area, area));
  Real const per_size = Number<Real>{1} / size;
  return {{area[0] * per_size, area[1] * per_size, area[2] * per_size}, size};
}

/// The common flux through an area: its size counts.
template <class Real>
TESSERA_HOST_DEVICE State<Real> common_flux(RiemannSolver solver, State<Real> const& left,
                                            State<Real> const& right,
                                            Direction<Real> const& through, Gas<Number<Real>> gas,
                                            Number<Real> fix) {
  State<Real> f = common_flux_along(solver, left, right, through.n, gas, fix);
  for (int v = 0; v < variables; ++v) f[v] *= through.size;
  return f;
}
template <class Real>
TESSERA_HOST_DEVICE State<Real> common_flux(RiemannSolver solver, State<Real> const& left,
                                            State<Real> const& right, Real const (&area)[3],
                                            Gas<Number<Real>> gas, Number<Real> fix) {
  return common_flux(solver, left, right, direction_of(area), gas, fix);
}

}  // namespace tessera::spectral

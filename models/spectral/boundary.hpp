// SPDX-License-Identifier: MIT
// Boundary conditions at the sides of a mesh: the outer state for the Riemann solver.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "models/spectral/gas.hpp"

namespace tessera::spectral {

enum class BoundaryKind : std::uint8_t {
  slip_wall,  ///< the inner state with its normal velocity reversed
  far_field,  ///< the state given; outgoing waves leave by the Riemann solver
  inlet,      ///< subsonic: the state given, except for outgoing waves
  outlet,     ///< subsonic: the pressure given, the rest from inside
};

using Point = std::array<double, 3>;

/// A boundary condition. `given`: the state at each place of the boundary, constant in time; not
/// for walls.
struct BoundaryCondition {
  BoundaryKind kind = BoundaryKind::slip_wall;
  std::function<Primitive<double>(Point const& at)> given;
};

/// The state outside. n: unit vector outwards. Inlet and outlet by linearised characteristics:
/// J. Blazek, Computational Fluid Dynamics: Principles and Applications, 8.3.
template <class Real>
TESSERA_HOST_DEVICE State<Real> outside_state(BoundaryKind kind, State<Real> const& inside,
                                              State<Real> const& given, Real const (&n)[3],
                                              Gas<Number<Real>> gas) {
  using N = Number<Real>;
  if (kind == BoundaryKind::far_field) return given;
  if (kind == BoundaryKind::slip_wall) {
    Real const through = N{2} * (inside[1] * n[0] + inside[2] * n[1] + inside[3] * n[2]);
    return {{inside[0], inside[1] - through * n[0], inside[2] - through * n[1],
             inside[3] - through * n[2], inside[4]}};
  }
  Primitive<Real> const in = primitive(inside, gas);
  Primitive<Real> const out = primitive(given, gas);
  Real const c = sound_speed(in, gas);
  Real const impedance = in.density * c;
  Primitive<Real> b;
  if (kind == BoundaryKind::inlet) {
    Real jump[3];
    for (int a = 0; a < 3; ++a) jump[a] = out.velocity[a] - in.velocity[a];
    b.pressure = static_cast<N>(0.5) * (out.pressure + in.pressure - impedance * dot(jump, n));
    Real const rise = b.pressure - out.pressure;
    b.density = out.density + rise / (c * c);
    for (int a = 0; a < 3; ++a) b.velocity[a] = out.velocity[a] + n[a] * (rise / impedance);
  } else {
    b.pressure = out.pressure;
    Real const rise = b.pressure - in.pressure;
    b.density = in.density + rise / (c * c);
    for (int a = 0; a < 3; ++a) b.velocity[a] = in.velocity[a] - n[a] * (rise / impedance);
  }
  return conserved(b, gas);
}

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// Between lattice units and the units of the laboratory.
#pragma once

#include "lattice/d3q19.hpp"

namespace tessera {

/// One millidarcy in square metres (1 darcy = 9.869233e-13 m^2, exactly 1 cP cm/s per atm/cm).
inline constexpr double millidarcy_m2 = 9.869233e-16;

/// Kinematic viscosity nu = (tau - 1/2) c_s^2 in lattice units.
constexpr double viscosity(double relaxation_time) {
  return (relaxation_time - 0.5) * D3Q19::sound_speed_squared;
}
constexpr double relaxation_time(double viscosity) {
  return viscosity / D3Q19::sound_speed_squared + 0.5;
}

/// Darcy's law in lattice units: k = nu <u> / g in voxels squared, with the superficial velocity
/// <u> and the body force per mass g.
constexpr double darcy_permeability(double viscosity, double superficial_velocity,
                                    double body_force) {
  return viscosity * superficial_velocity / body_force;
}

}  // namespace tessera

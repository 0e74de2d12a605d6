// SPDX-License-Identifier: MIT
// Conversion between lattice units and laboratory units.
#pragma once

#include <optional>

#include "models/lattice/lattice_kind.hpp"

namespace tessera {

/// One millidarcy in square metres (1 darcy = 9.869233e-13 m^2, exactly 1 cP cm/s per atm/cm).
inline constexpr double millidarcy_m2 = 9.869233e-16;

/// A permeability in voxels squared in millidarcys.
constexpr double millidarcys(double k_lattice, double voxel_size_m) {
  return k_lattice * (voxel_size_m * voxel_size_m) / millidarcy_m2;
}
/// A permeability in millidarcys, if permeability and voxel size are known.
constexpr std::optional<double> millidarcys(std::optional<double> k_lattice,
                                            std::optional<double> voxel_size_m) {
  if (!k_lattice || !voxel_size_m) return std::nullopt;
  return millidarcys(*k_lattice, *voxel_size_m);
}

/// Kinematic viscosity in lattice units, nu = (tau - 1/2) c_s^2, in D3Q13 (tau - 1/2) / 2.
constexpr double viscosity(double relaxation_time, LatticeKind lattice = LatticeKind::d3q19) {
  return (relaxation_time - 0.5) * velocities_of(lattice).viscosity_factor;
}
constexpr double relaxation_time(double viscosity, LatticeKind lattice = LatticeKind::d3q19) {
  return viscosity / velocities_of(lattice).viscosity_factor + 0.5;
}

/// Darcy's law in lattice units: k = nu <u> / g in voxels squared, with the superficial velocity
/// <u> and the body force per mass g.
constexpr double darcy_permeability(double viscosity, double superficial_velocity,
                                    double body_force) {
  return viscosity * superficial_velocity / body_force;
}

}  // namespace tessera

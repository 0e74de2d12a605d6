// SPDX-License-Identifier: MIT
// The one way from a node's state in lattice units to the fields that users see.
#pragma once

#include <array>
#include <optional>

#include "codelets/lattice/snapshot.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera {

/// The fluid that lattice units are translated to.
struct PhysicalFluid {
  double kinematic_viscosity = 1e-6;  ///< m^2/s: water
  double density = 1000;              ///< kg/m^3
};

/// Factors from lattice units to SI, all 1 in lattice units, and the fluid's viscosity.
struct FieldUnits {
  double spacing = 1;
  double time = 1;  ///< of a step
  double velocity = 1;
  double pressure = 1;
  double density = 1;
  double kinematic_viscosity = 1;
  bool in_si = false;
  double dynamic_viscosity() const { return density * kinematic_viscosity; }
};

/// Factors for a lattice whose voxel, step and density 1 are these in SI.
inline FieldUnits si_units(double lattice_viscosity, double voxel_m, double step_s,
                           double density_kg_m3) {
  double const speed = voxel_m / step_s;
  return {voxel_m,       step_s,
          speed,         density_kg_m3 * speed * speed,
          density_kg_m3, lattice_viscosity * voxel_m * speed,
          true};
}

inline FieldUnits lattice_units(double lattice_viscosity) {
  FieldUnits units;
  units.kinematic_viscosity = lattice_viscosity;
  return units;
}

/// Factors for a voxel size and a fluid: one step lasts dt = nu dx^2 / nu_SI.
inline FieldUnits field_units(double lattice_viscosity, std::optional<double> voxel_size_m,
                              PhysicalFluid const& fluid) {
  if (!voxel_size_m) return lattice_units(lattice_viscosity);
  double const dx = *voxel_size_m;
  double const dt = lattice_viscosity * dx * dx / fluid.kinematic_viscosity;
  return si_units(lattice_viscosity, dx, dt, fluid.density);
}

template <class Real = float>
struct NodeFields {
  std::array<Real, 3> velocity;  ///< m/s
  Real pressure;                 ///< Pa, without the mean gradient that drives the flow
  Real density;                  ///< kg/m^3
};

template <class Real = float>
NodeFields<Real> node_fields(NodeState const& state, FieldUnits const& units) {
  // All lattices have this speed of sound.
  constexpr double sound_speed_squared = D3Q19::sound_speed_squared;
  auto const shift = static_cast<double>(state.density_shift);
  auto const velocity = [&](std::size_t a) {
    return static_cast<Real>(units.velocity * static_cast<double>(state.velocity[a]));
  };
  return {{velocity(0), velocity(1), velocity(2)},
          static_cast<Real>(units.pressure * sound_speed_squared * shift),
          static_cast<Real>(units.density * (1 + shift))};
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The one way from a node's state in lattice units to the fields that users see.
#pragma once

#include <array>
#include <optional>

#include "codelets/snapshot.hpp"
#include "lattice/d3q19.hpp"

namespace tessera {

/// The fluid that lattice units are translated to.
struct PhysicalFluid {
  double kinematic_viscosity = 1e-6;  ///< m^2/s: water
  double density = 1000;              ///< kg/m^3
};

/// Factors from lattice units to SI; all 1 without a voxel size. And the fluid's viscosity.
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

/// One step lasts dt = nu dx^2 / nu_SI.
inline FieldUnits field_units(double lattice_viscosity, std::optional<double> voxel_size_m,
                              PhysicalFluid const& fluid) {
  if (!voxel_size_m) return {.kinematic_viscosity = lattice_viscosity};
  double const dx = *voxel_size_m;
  double const dt = lattice_viscosity * dx * dx / fluid.kinematic_viscosity;
  double const speed = dx / dt;
  return {dx,  dt, speed, fluid.density * speed * speed, fluid.density, fluid.kinematic_viscosity,
          true};
}

struct NodeFields {
  std::array<float, 3> velocity;  ///< m/s
  float pressure;                 ///< Pa, without the mean gradient that drives the flow
  float density;                  ///< kg/m^3
};

inline NodeFields node_fields(NodeState const& state, FieldUnits const& units) {
  auto const shift = static_cast<double>(state.density_shift);
  auto const velocity = [&](std::size_t a) {
    return static_cast<float>(units.velocity * static_cast<double>(state.velocity[a]));
  };
  return {{velocity(0), velocity(1), velocity(2)},
          static_cast<float>(units.pressure * D3Q19::sound_speed_squared * shift),
          static_cast<float>(units.density * (1 + shift))};
}

}  // namespace tessera

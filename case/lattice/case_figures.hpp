// SPDX-License-Identifier: MIT
// The main figures of a flow: velocities, flow rates, mass.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "case/file/case.hpp"
#include "run/fields/field_units.hpp"
#include "run/fields/flow_state.hpp"

namespace tessera {

/// Units of a case's fields: SI, if the case is in SI.
inline FieldUnits field_units(double lattice_viscosity, CaseUnits const& units) {
  return units.si ? si_units(lattice_viscosity, units.voxel_m, units.step_s, units.density_kg_m3)
                  : lattice_units(lattice_viscosity);
}

struct FaceFigures {
  Case::Face face = Case::Face::x_lower;
  double volume_rate = 0;    ///< mass_rate over the mean density of the first two layers
  double mass_rate = 0;      ///< into the box, from the first layer of voxels to the second
  double mean_pressure = 0;  ///< of the fluid nodes beside the face
};

struct FlowFigures {
  std::array<double, 3> mean_velocity{};         ///< over the fluid nodes
  std::array<double, 3> superficial_velocity{};  ///< over pore and solid
  double largest_speed = 0;
  double mean_density = 0;
  double mass = 0;
  double mass_given_back = 0;      ///< that walls had taken, in all steps
  std::vector<FaceFigures> faces;  ///< faces with a velocity, a pressure or an outflow
};

/// All ranks: the figures of a state and of mass_rates() of open_faces(), in lattice units,
/// whatever units the case has.
FlowFigures figures_of(Case const& c, FlowState const& state, std::span<double const> mass_rates);

/// Converts figures from lattice units.
FlowFigures in_units(FlowFigures figures, FieldUnits const& units);

nlohmann::ordered_json to_json(FlowFigures const& figures);

/// Some lines for the user; `si`: the figures are in SI.
std::string describe(FlowFigures const& figures, bool si);

}  // namespace tessera

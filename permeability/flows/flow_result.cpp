// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <string>

#include "models/lattice/model_names.hpp"
#include "permeability/permeability_options.hpp"

namespace tessera {

FlowResult flow_result(PermeabilityOptions const& options, PermeabilityCase const& asked,
                       double relaxation_time, double body_force) {
  std::string const equilibrium(name_in(equilibrium_names, asked.model.equilibrium));
  FlowResult result{
      .lattice = std::string(velocities_of(asked.model.lattice).name),
      .collision = fmt::format("{}, magic {:.6g}, {}", options.collision, asked.magic, equilibrium),
      .relaxation_time = relaxation_time,
      .precision = options.precision,
      .body_force_lattice = body_force,
      .axes = options.axis,
      .setup = std::string(name_of(asked.setup)),
      .collision_operator = options.collision,
      .equilibrium = equilibrium,
      .magic = asked.magic,
      .tolerance = asked.tolerance,
      .max_steps = asked.max_steps,
      .kinematic_viscosity_m2_s = options.fluid.kinematic_viscosity,
      .density_kg_m3 = options.fluid.density};
  if (asked.setup == FlowSetup::sealed) result.buffer_layers = asked.buffer_layers;
  return result;
}

}  // namespace tessera

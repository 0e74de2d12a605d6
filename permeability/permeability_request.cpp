// SPDX-License-Identifier: MIT
#include "permeability/permeability_request.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/settings.hpp"
#include "insitu/script.hpp"
#include "models/lattice/known_models.hpp"
#include "models/lattice/model_names.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "run/checkpoint/checkpoints.hpp"

namespace tessera {
namespace {

/// Throws BadInput if there is no such node update.
void check_model(FlowModel const& model) {
  if (is_known(model)) return;
  auto const words = [](FlowModel const& m) {
    return std::pair{name_in(collision_names, m.collision),
                     name_in(equilibrium_names, m.equilibrium)};
  };
  std::string possible;
  for (FlowModel const& other : models_on(model.lattice)) {
    if (other.smagorinsky) continue;
    auto const [collision, equilibrium] = words(other);
    possible += fmt::format("{}{} {}", possible.empty() ? "" : ", ", collision, equilibrium);
  }
  auto const [collision, equilibrium] = words(model);
  throw BadInput(fmt::format("{} {} {}: expected one of {}",
                             setting_text("lattice", name_in(lattice_names, model.lattice)),
                             setting_text("collision", collision),
                             setting_text("equilibrium", equilibrium), possible));
}

/// Bounds wider than anything that has a meaning; beyond them numbers overflow somewhere on the
/// way.
void check_flow(PermeabilityCase const& flow) {
  check_model(flow.model);
  constexpr std::int64_t most_layers = 100'000;
  if (flow.buffer_layers < 0 || flow.buffer_layers > most_layers) {
    throw BadInput(fmt::format("{} {}: expected 0 to {}", setting_name("buffer-layers"),
                               flow.buffer_layers, most_layers));
  }
  require_at_least_one("max-steps", flow.max_steps);
  require_between("magic", flow.magic, 1e-6, 1e6);
  require_between("tolerance", flow.tolerance, 1e-15, 0.5);
  if (flow.body_force) require_between("body-force", *flow.body_force, 1e-30, 1e3);
  constexpr double longest_relaxation = 1e3;
  if (flow.relaxation_time &&
      !(*flow.relaxation_time > 0.5 && *flow.relaxation_time <= longest_relaxation)) {
    throw BadInput(
        fmt::format("{} {}: expected more than 1/2, as the viscosity is (tau - 1/2)/3, and at most "
                    "{}",
                    setting_name("relaxation-time"), *flow.relaxation_time, longest_relaxation));
  }
}

std::string because(char const* why, std::string_view setting) {
  return fmt::format("{} ({})", why, setting_name(setting));
}

/// The setting by which the request has grey voxels.
std::string grey_setting(PermeabilityRequest const& request) {
  return setting_name(request.grey_values ? "grey-values" : "grey");
}

}  // namespace

void PermeabilityRequest::check() const {
  check_flow(flow);
  if (refine != 0 && refine != 2 && refine != 3)
    throw BadInput(fmt::format("{} {}: expected 2 or 3", setting_name("refine"), refine));
  require_between("viscosity", fluid.kinematic_viscosity, 1e-12, 1e6, "m^2/s");
  require_between("density", fluid.density, 1e-6, 1e6, "kg/m^3");
  if (voxel_size_m) require_between("voxel-size", *voxel_size_m, 1e-12, 1e3, "m");
  if (has_grey()) check_grey();
  if (flow.slip) check_slip();
}

PermeabilityMap PermeabilityRequest::take_grey(Image& voxels, ImageResult& taken) const {
  if (grey_values) return take_permeabilities(voxels, image.rule, *grey_values, taken);
  PermeabilityMap map{.rule = image.rule};
  taken.grey = grey_results(grey, taken.voxel_size_m);
  for (GreyResult const& own : taken.grey) map.k_lattice.push_back(own.k_lattice);
  return map;
}

void PermeabilityRequest::check_slip() const {
  std::string const said = setting_name(gas ? "gas" : "slip");
  require_between("temperature", temperature, 100, 1500, "K");
  if (has_grey()) {
    throw BadInput(
        fmt::format("{} with {}: expected solid and pores alone", said, grey_setting(*this)));
  }
  if (solver == Solver::steps) {
    throw BadInput(
        fmt::format("{} with {}: expected minres", said, setting_text("solver", "steps")));
  }
  if (auto const why = why_steps())
    throw BadInput(fmt::format("{}: slip is found by minres: {}", said, *why));
}

void PermeabilityRequest::check_grey() const {
  auto const refuse = [this](std::string const& said, std::string_view expected) {
    throw BadInput(fmt::format("{} with {}: expected {}", said, grey_setting(*this), expected));
  };
  if (grey_values && !grey.empty()) refuse(setting_name("grey"), "one of the two");
  bool const by_steps = solver == Solver::steps;
  bool const precise = flow.precision == Precision::double_precision;
  if (flow.precision == Precision::half_storage || (precise && !by_steps)) {
    refuse(setting_text("precision", name_in(precision_names, flow.precision)),
           by_steps ? "single or double" : "single, whose residual is taken in double");
  }
  if (refine != 0) refuse(setting_name("refine"), "pores and solid alone");
  if (image.rule.threshold) refuse(setting_name("threshold"), "labels");
  // By steps, too: the shares that links pass are those of this model.
  if (auto const why = why_not_solved_for(flow)) {
    throw BadInput(
        fmt::format("{}: such a flow is solved for by minres, and {}", grey_setting(*this), *why));
  }
}

void PermeabilityRequest::check_solvable() const {
  auto const why = why_not_solved_for(flow);
  if (!why) return;
  throw BadInput(fmt::format(
      "{}: {}", setting_text("precision", name_in(precision_names, flow.precision)), *why));
}

std::optional<std::string> PermeabilityRequest::why_steps_are_meant() const {
  if (flow.max_steps != PermeabilityCase{}.max_steps)
    return because("steps are counted", "max-steps");
  for (Script const& script : in_situ.scripts) {
    if (may_use(script, "tiles")) return because("a script looks at tiles", "insitu");
  }
  if (!in_situ.scripts.empty() && !Ranks::alone())
    return because("scripts look at iterations of a single process only", "insitu");
  return why_steps();
}

std::optional<std::string> PermeabilityRequest::why_steps() const {
  if (flow.tiles != 0) return because("it computes on no tiles", "tiles");
  if (flow.steps_per_sweep != 0) return because("it takes no steps", "steps-per-sweep");
  if (balance_is_asked) return because("no tiles are to be balanced", "balance");
  return why_not_solved_for(flow);
}

std::string text_of(std::vector<Axis> const& axes) {
  return axes.size() == 1 ? std::string(1, name_of(axes.front())) : "all";
}

FlowResult flow_result(PermeabilityRequest const& request, PermeabilityCase const& asked,
                       double relaxation_time, double body_force) {
  std::string const equilibrium(name_in(equilibrium_names, asked.model.equilibrium));
  std::string const collision(name_in(collision_names, asked.model.collision));
  FlowResult result{
      .lattice = std::string(velocities_of(asked.model.lattice).name),
      .collision = fmt::format("{}, magic {:.6g}, {}", collision, asked.magic, equilibrium),
      .relaxation_time = relaxation_time,
      .precision = std::string(name_in(precision_names, asked.precision)),
      .body_force_lattice = body_force,
      .axes = text_of(request.axes),
      .setup = std::string(name_of(asked.setup)),
      .collision_operator = collision,
      .equilibrium = equilibrium,
      .magic = asked.magic,
      .tolerance = asked.tolerance,
      .max_steps = asked.max_steps,
      .kinematic_viscosity_m2_s = request.fluid.kinematic_viscosity,
      .density_kg_m3 = request.fluid.density};
  if (asked.setup == FlowSetup::sealed) result.buffer_layers = asked.buffer_layers;
  return result;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "permeability/studies/forchheimer_study.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "models/lattice/units.hpp"
#include "permeability/flows/solve_image.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "run/cli/log.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

PermeabilityCase without_inertia(PermeabilityOptions flow) {
  flow.equilibrium.clear();
  return flow.asked_to_solve();
}

/// Darcy's.
double creeping_permeability(Geometry const& geometry, Axis axis, PermeabilityCase const& asked,
                             Workers const& workers, std::atomic<bool> const& stop) {
  ImageAnswer const found =
      solve_image(geometry, axis, asked,
                  workers_to_solve(workers, geometry.pore_voxels(), asked.precision), stop);
  if (!found.answered()) throw EnvironmentError(fmt::format("creeping flow: {}", found.failure));
  return found.k_lattice;
}

void say_unsettled(InertialFlow const& flow) {
  if (flow.end == RunEnd::diverged) {
    log_warning("Re {:g}: it diverged: the pores have too few voxels for it", flow.asked_reynolds);
  } else if (!flow.why_unsettled.empty()) {
    log_warning("Re {:g}: not settled after {} steps: {}", flow.asked_reynolds, flow.steps,
                flow.why_unsettled);
  }
}

Axis only_axis(ImageFlows const& flows, std::string const& asked) {
  if (flows.axes().size() != 1) throw BadInput(fmt::format("--axis {}: expected x, y or z", asked));
  return flows.axes().front();
}

}  // namespace

ForchheimerOptions::ForchheimerOptions() {
  flow.equilibrium = "navier-stokes";
  flow.precision.clear();
  flow.solver = "steps";
}

void ForchheimerOptions::add_to(CLI::App& command) {
  flow.image.add_to(command);
  command.option_defaults()->group("Flow");
  command
      .add_option("--reynolds", reynolds,
                  "Reynolds numbers of the mean pore velocity and the hydraulic diameter, such as "
                  "0.1,1,10")
      ->required()
      ->delimiter(',');
  flow.add_to_solve(command, "The image");
  command.option_defaults()->group("Flow");
  command.get_option("--precision")
      ->description(
          "single or double (default: single, double where the flow would stand still too early "
          "for "
          "the tolerance, by rounding)")
      ->default_str("");
  command.add_flag("--periodic", flow.periodic, "The image wraps along all axes");
  command
      .add_option("--max-steps", flow.max_steps, "The flow at a Reynolds number ends here at last")
      ->capture_default_str();
}

std::vector<double> ForchheimerOptions::in_order() const {
  std::vector<double> sorted = reynolds;
  for (double const re : sorted) require_between("--reynolds", re, 1e-6, 1e4);
  std::ranges::sort(sorted);
  auto const twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end())
    throw BadInput(fmt::format("--reynolds {:g} stands there twice", *twice));
  return sorted;
}

ForchheimerStudy::ForchheimerStudy(ForchheimerOptions const& options)
    : options_(options),
      reynolds_(options.in_order()),
      creeping_(without_inertia(options.flow)),
      flows_(options.flow),
      axis_(only_axis(flows_, options.flow.axis)) {
  flows_.check_machine();
}

void ForchheimerStudy::take(Image const& image) {
  sample_ = label_sample(image, options_.flow, flows_.asked(), flows_.axes());
}

void ForchheimerStudy::run(std::atomic<bool> const& stop,
                           std::function<void(InertialFlow const&)> const& note) {
  flows_.choose_workers(sample_.geometry.own.pore_voxels());
  PermeabilityCase asked = flows_.asked();
  asked.for_fields = false;
  k_darcy_ = creeping_permeability(sample_.geometry.own, axis_, creeping_, flows_.workers(), stop);
  InertialSeries series(prepare_flow(sample_.geometry.own, axis_, asked, flows_.workers()), asked,
                        options_.flow.scheduler, k_darcy_, options_.flow.precision.empty());
  for (double const re : reynolds_) {
    if (stop) break;
    found_.push_back(series.flow_at(re, {.stop = &stop}));
    if (note) note(found_.back());
    if (found_.back().settled()) continue;
    say_unsettled(found_.back());
    break;
  }
}

bool ForchheimerStudy::complete() const {
  return found_.size() == reynolds_.size() && std::ranges::all_of(found_, &InertialFlow::settled);
}

Json ForchheimerStudy::results() const {
  auto const size = sample_.image.voxel_size_m;
  auto const found = law();
  Json flows = Json::array();
  for (InertialFlow const& one : found_) flows.push_back(to_json(one, size));
  return {{"image", to_json(sample_.image)},
          {"porosity", sample_.porosity.total},
          {"axis", std::string(1, name_of(axis_))},
          {"k_lattice", k_darcy_},
          {"k_mD", or_null(millidarcys(std::optional(k_darcy_), size))},
          {"flows", flows},
          {"forchheimer", found ? to_json(*found, size) : Json(nullptr)},
          {"warnings", warnings_given()},
          {"software", to_json(software_result())}};
}

}  // namespace tessera

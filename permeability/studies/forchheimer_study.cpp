// SPDX-License-Identifier: MIT
#include "permeability/studies/forchheimer_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "models/lattice/model_names.hpp"
#include "models/lattice/units.hpp"
#include "permeability/flows/many_flows.hpp"
#include "run/console/log.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

/// The creeping flow that Darcy's law is of.
PermeabilityCase without_inertia(PermeabilityCase flow) {
  flow.model.equilibrium = usual_equilibrium(flow.model.collision, Purpose::permeability);
  flow.for_fields = false;
  return flow;
}

std::vector<double> ascending(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

/// Darcy's.
double creeping_permeability(Geometry const& geometry, Axis axis,
                             PermeabilityRequest const& request, std::atomic<bool> const& stop) {
  WantedFlow const wanted{.image = [&] { return geometry; },
                          .axis = axis,
                          .asked = without_inertia(request.flow),
                          .voxels = volume(geometry.shape),
                          .nodes = geometry.pore_voxels()};
  auto const found =
      ManyFlows(request.workers, request.scheduler).answers({&wanted, 1}, stop).front();
  if (!found || !found->answered())
    throw EnvironmentError(
        fmt::format("creeping flow: {}", found ? found->failure : "it was interrupted"));
  return found->value;
}

void say_unsettled(InertialFlow const& flow) {
  if (flow.end == RunEnd::diverged) {
    log_warning("Re {:g}: it diverged: the pores have too few voxels for it", flow.asked_reynolds);
  } else if (!flow.why_unsettled.empty()) {
    log_warning("Re {:g}: not settled after {} steps: {}", flow.asked_reynolds, flow.steps,
                flow.why_unsettled);
  }
}

}  // namespace

void ForchheimerRequest::check() const {
  for (double const re : reynolds) require_between("reynolds", re, 1e-6, 1e4);
  std::vector<double> const sorted = ascending(reynolds);
  auto const twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end())
    throw BadInput(fmt::format("{} {:g} stands there twice", setting_name("reynolds"), *twice));
  if (flow.axes.size() != 1) {
    throw BadInput(fmt::format("{}: expected x, y or z", setting_text("axis", text_of(flow.axes))));
  }
  flow.check();
  PermeabilityRequest creeping = flow;
  creeping.flow = without_inertia(flow.flow);
  creeping.check_solvable();
}

ForchheimerStudy::ForchheimerStudy(ForchheimerRequest const& request)
    : request_(request),
      reynolds_(ascending(request.reynolds)),
      flows_(request.flow),
      axis_(request.flow.axes.front()) {
  flows_.check_machine();
}

void ForchheimerStudy::take(Image const& image) {
  sample_ = label_sample(image, request_.flow);
  sample_.pores.components.reset();  // its flows find them as they prepare their boxes
}

void ForchheimerStudy::run(std::atomic<bool> const& stop,
                           std::function<void(InertialFlow const&)> const& note) {
  flows_.choose_workers(sample_.pores.geometry.own.pore_voxels());
  PermeabilityCase asked = flows_.asked();
  asked.for_fields = false;
  k_darcy_ = creeping_permeability(sample_.pores.geometry.own, axis_, request_.flow, stop);
  InertialSeries series(prepare_flow(sample_.pores.geometry.own, axis_, asked, flows_.workers()),
                        asked, request_.flow.scheduler, k_darcy_, !request_.precision_is_asked);
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

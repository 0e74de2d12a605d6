// SPDX-License-Identifier: MIT
#include "permeability/studies/phase_study.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/settings.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "run/console/log.hpp"
#include "run/performance.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"

namespace tessera {

void PhasesRequest::check() const {
  flow.check();
  flow.check_solvable();
  check_workers(flow.workers);
}

PhaseStudy::PhaseStudy(PhasesRequest const& request)
    : request_(request),
      solid_(request.flow.image.rule.solid.value_or(LabelSet{})),
      named_(parse_phases(request.phases, solid_)) {}

void PhaseStudy::take(Image const& image) {
  image_ = image_result(image, request_.flow.image, request_.flow.voxel_size_m);
  pores_ = pores_of(image, named_, solid_, request_.flow.flow.setup == FlowSetup::periodic);
}

void PhaseStudy::run(std::atomic<bool> const& stop, std::function<void()> const& note) {
  std::int64_t const nodes = pores_.front().geometry.pore_voxels();
  PermeabilityCase const& asked = request_.flow.flow;
  Workers const workers = workers_to_solve(
      plan_workers(request_.flow.workers, nodes, asked.precision).workers, nodes, asked.precision);
  for (Axis const axis : request_.flow.axes) {
    for (PhasePores const& phase : pores_) {
      if (stop) break;
      ImageAnswer const found = solve_image(phase.geometry, axis, asked, workers, stop);
      if (!found.answered())
        log_warning("{} along {}: {}", phase.name, axis_name(axis), found.failure);
      answers_.push_back({found, phase.name, axis, phase.saturation, std::nullopt});
      if (note) note();
    }
  }
  relate(answers_);
}

bool PhaseStudy::complete() const {
  return answers_.size() == flows() && std::ranges::all_of(answers_, &PhaseAnswer::answered);
}

Json PhaseStudy::results() const {
  return {{"image", to_json(image_)},
          {"phases", to_json(answers_, image_.voxel_size_m)},
          {"warnings", warnings_given()},
          {"software", to_json(software_result())}};
}

}  // namespace tessera

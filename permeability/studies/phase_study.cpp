// SPDX-License-Identifier: MIT
#include "permeability/studies/phase_study.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ranks/same_for_all.hpp"
#include "base/settings.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "run/console/log.hpp"
#include "run/performance.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"

namespace tessera {

void PhasesRequest::check() const {
  flow.check();
  flow.check_solvable();
  Runtime::check_scheduler(flow.scheduler);
  check_workers(flow.workers);
}

namespace {

/// That of all phases: there may be no solid at all.
PoreRule rule_of(PhasesRequest const& request) {
  PoreRule rule = request.flow.image.rule;
  if (!rule.solid) rule.solid.emplace();
  return rule;
}

}  // namespace

PhaseStudy::PhaseStudy(PhasesRequest const& request)
    : request_(request),
      rule_(rule_of(request)),
      named_(parse_phases(request.phases, *rule_.solid)),
      flows_(request.flow.workers, request.flow.scheduler) {}

void PhaseStudy::take(Image const& image) {
  image_ = image_result(image, request_.flow.image, request_.flow.voxel_size_m);
  expect_same_for_all(image_.path, image_.sha256);
  pores_ = pores_of(image, named_, rule_, request_.flow.flow.setup == FlowSetup::periodic);
}

void PhaseStudy::run(std::atomic<bool> const& stop, std::function<void()> const& note) {
  std::vector<PhaseAnswer> all;
  std::vector<WantedFlow> wanted;
  for (Axis const axis : request_.flow.axes) {
    for (PhasePores const& phase : pores_) {
      all.push_back({{}, phase.name, axis, phase.saturation, std::nullopt});
      wanted.push_back({.image = [&phase] { return phase.geometry; },
                        .axis = axis,
                        .asked = request_.flow.flow,
                        .voxels = volume(phase.geometry.shape),
                        .nodes = phase.geometry.pore_voxels()});
    }
  }
  answers_ =
      flows_.fill_in<PhaseAnswer>(std::move(all), wanted, stop, [&](PhaseAnswer const& answer) {
        if (!answer.answered())
          log_warning("{} along {}: {}", answer.phase, axis_name(answer.axis), answer.failure);
        if (note) note();
      });
  relate(answers_);
}

bool PhaseStudy::complete() const {
  return answers_.size() == flows() && std::ranges::all_of(answers_, &PhaseAnswer::answered);
}

Json PhaseStudy::results() const {
  return {{"image", to_json(image_)},
          {"phases", to_json(answers_, image_.voxel_size_m)},
          {"performance", flows_.performance()},
          {"warnings", warnings_given()},
          {"software", to_json(software_result())}};
}

}  // namespace tessera

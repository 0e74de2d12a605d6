// SPDX-License-Identifier: MIT
#include "permeability/studies/phase_study.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>

#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "run/cli/log.hpp"
#include "run/performance.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"

namespace tessera {

void PhasesOptions::add_to(CLI::App& command) {
  flow.image.add_to_read(command);
  command.option_defaults()->group("Phases");
  command.add_option("--phase", phases, "A fluid and its labels: water=0, oil=1,3-4; one each")
      ->required();
  command.add_option("--solid", flow.image.solid, "Labels of the solid")->required();
  flow.add_to_solve(command, "The image");
  command.option_defaults()->group("Flow");
  command.add_flag("--periodic", flow.periodic, "The image wraps along all axes");
}

PhaseStudy::PhaseStudy(PhasesOptions const& options)
    : options_(options),
      asked_(options.flow.asked_to_solve()),
      axes_(parse_axes(options.flow.axis)),
      solid_(LabelSet::parse(options.flow.image.solid)),
      named_(parse_phases(options.phases, solid_)) {
  static_cast<void>(options.flow.voxel_size_m());
  check_workers(workers_asked(options.flow.gpus, options.flow.cores));
}

void PhaseStudy::take(Image const& image) {
  image_ = image_result(image, options_.flow.image, options_.flow.voxel_size_m());
  pores_ = pores_of(image, named_, solid_, asked_.setup == FlowSetup::periodic);
}

void PhaseStudy::run(std::atomic<bool> const& stop, std::function<void()> const& note) {
  std::int64_t const nodes = pores_.front().geometry.pore_voxels();
  WorkersAsked const wanted = workers_asked(options_.flow.gpus, options_.flow.cores);
  Workers const workers = workers_to_solve(plan_workers(wanted, nodes, asked_.precision).workers,
                                           nodes, asked_.precision);
  for (Axis const axis : axes_) {
    for (PhasePores const& phase : pores_) {
      if (stop) break;
      ImageAnswer const found = solve_image(phase.geometry, axis, asked_, workers, stop);
      if (!found.answered())
        log_warning("{} along {}: {}", phase.name, name_of(axis), found.failure);
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

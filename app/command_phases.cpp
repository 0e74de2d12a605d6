// SPDX-License-Identifier: MIT
// The permeability of each of several fluids that share the pores and stand still against each
// other: relative permeabilities of frozen phases.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/commands.hpp"
#include "cli/log.hpp"
#include "cli/output_folder.hpp"
#include "cli/streams.hpp"
#include "lattice/errors.hpp"
#include "machine/gpu_start.hpp"
#include "permeability/permeability_options.hpp"
#include "permeability/phases.hpp"
#include "permeability/solver_choice.hpp"
#include "plan/worker_plan.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

struct PhasesOptions {
  PermeabilityOptions flow;  ///< those of its options that are offered here
  std::vector<std::string> phases;

  void add_to(CLI::App& command) {
    flow.image.add_to_read(command);
    command.option_defaults()->group("Phases");
    command.add_option("--phase", phases, "A fluid and its labels: water=0, oil=1,3-4; one each")
        ->required();
    command.add_option("--solid", flow.image.solid, "Labels of the solid")->required();
    flow.add_to_solve(command, "The image");
    command.option_defaults()->group("Flow");
    command.add_flag("--periodic", flow.periodic, "The image wraps along all axes");
  }
};

int phases(PhasesOptions const& options) {
  PermeabilityCase const asked = options.flow.asked_to_solve();
  std::vector<Axis> const axes = parse_axes(options.flow.axis);
  std::optional<double> const said_size_m = options.flow.voxel_size_m();
  LabelSet const solid = LabelSet::parse(options.flow.image.solid);
  std::vector<Phase> const named = parse_phases(options.phases, solid);
  WorkersAsked const workers_wanted = workers_asked(options.flow.gpus, options.flow.cores);
  check_workers(workers_wanted);
  std::jthread gpu = options.flow.gpus == 0 ? std::jthread() : start_gpu();
  Image const image = options.flow.image.read();
  ImageResult const described = image_result(image, options.flow.image, said_size_m);
  std::optional<double> const voxel_size_m = described.voxel_size_m;
  std::vector<PhasePores> const pores =
      pores_of(image, named, solid, asked.setup == FlowSetup::periodic);
  Interrupt const interrupt;
  OutputFolder const folder(options.flow.out);
  if (gpu.joinable()) gpu.join();
  std::int64_t const nodes = pores.front().geometry.pore_voxels();
  Workers const workers = workers_to_solve(
      plan_workers(workers_wanted, nodes, asked.precision).workers, nodes, asked.precision);

  std::vector<PhaseAnswer> answers;
  for (Axis const axis : axes) {
    for (PhasePores const& phase : pores) {
      if (Interrupt::requested()) break;
      ImageAnswer const found =
          solve_image(phase.geometry, axis, asked, workers, Interrupt::requested());
      if (!found.answered())
        spdlog::warn("{} along {}: {}", phase.name, name_of(axis), found.failure);
      answers.push_back({found, phase.name, axis, phase.saturation, std::nullopt});
    }
  }
  relate(answers);
  write_phases_csv(folder.path() / "phases.csv", answers, voxel_size_m);
  Json json{{"image", to_json(described)},
            {"phases", to_json(answers, voxel_size_m)},
            {"warnings", warnings_given()},
            {"software", to_json(software_result())}};
  write_json(folder.path() / "results.json", json);
  if (!options.flow.quiet) {
    print_all([&] {
      print_phases(answers, voxel_size_m);
      fmt::print("written to {}\n", folder.path().string());
    });
  }
  bool const complete = answers.size() == axes.size() * pores.size();
  bool const answered = std::ranges::all_of(answers, &PhaseAnswer::answered);
  return complete && answered ? done : not_converged;
}

}  // namespace

Command add_phases_command(CLI::App& command) {
  auto const options = std::make_shared<PhasesOptions>();
  options->add_to(command);
  return [options] {
    set_up_log(options->flow.verbosity());
    survive_broken_pipes();
    return phases(*options);
  };
}

}  // namespace tessera

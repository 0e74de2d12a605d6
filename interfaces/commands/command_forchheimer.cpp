// SPDX-License-Identifier: MIT
// Flow with inertia: the apparent permeability at several Reynolds numbers, and Forchheimer's law.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

#include "interfaces/cli/study_options.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/studies/forchheimer_study.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/console/streams.hpp"
#include "run/interrupt.hpp"

namespace tessera {
namespace {

int forchheimer(ForchheimerCommand const& options) {
  ForchheimerRequest const request = options.request();
  ForchheimerStudy study(request);
  Interrupt const interrupt;
  std::jthread gpu = start_gpu_for(request.flow);
  study.take(request.flow.image.read());
  OutputFolder const folder(options.out);
  if (gpu.joinable()) gpu.join();
  study.run(Interrupt::requested());
  auto const size = study.image().voxel_size_m;
  write_inertial_csv(folder.path() / "forchheimer.csv", study.flows(), size);
  write_json(folder.path() / "results.json", study.results());
  if (!options.quiet) {
    print_all([&] {
      print_inertial(study.flows(), study.k_darcy(), study.law(), size);
      fmt::print("written to {}\n", folder.path().string());
    });
  }
  return study.complete() ? done : not_converged;
}

}  // namespace

Command add_forchheimer_command(CLI::App& command) {
  auto const options = std::make_shared<ForchheimerCommand>();
  options->add_to(command);
  return [options] {
    set_up_log(options->verbosity());
    survive_broken_pipes();
    return forchheimer(*options);
  };
}

}  // namespace tessera

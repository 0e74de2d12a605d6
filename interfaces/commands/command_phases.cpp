// SPDX-License-Identifier: MIT
// The permeability of each of several fluids that share the pores and stand still against each
// other: relative permeabilities of frozen phases.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

#include "base/machine/gpu_start.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/studies/phase_study.hpp"
#include "run/cli/log.hpp"
#include "run/cli/output_folder.hpp"
#include "run/cli/streams.hpp"
#include "run/interrupt.hpp"

namespace tessera {
namespace {

int phases(PhasesOptions const& options) {
  PhaseStudy study(options);
  Interrupt const interrupt;
  std::jthread gpu = options.flow.gpus == 0 ? std::jthread() : start_gpu();
  study.take(options.flow.image.read());
  OutputFolder const folder(options.flow.out);
  if (gpu.joinable()) gpu.join();
  study.run(Interrupt::requested());
  auto const voxel_size_m = study.image().voxel_size_m;
  write_phases_csv(folder.path() / "phases.csv", study.answers(), voxel_size_m);
  write_json(folder.path() / "results.json", study.results());
  if (!options.flow.quiet) {
    print_all([&] {
      print_phases(study.answers(), voxel_size_m);
      fmt::print("written to {}\n", folder.path().string());
    });
  }
  return study.complete() ? done : not_converged;
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

// SPDX-License-Identifier: MIT
// The permeability of each of several fluids that share the pores and stand still against each
// other: relative permeabilities of frozen phases.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

#include "base/ranks/ranks.hpp"
#include "interfaces/cli/study_options.hpp"
#include "interfaces/commands/by_first.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/studies/phase_study.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/console/streams.hpp"
#include "run/interrupt.hpp"
#include "run/rank_report.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

int phases(PhasesCommand const& options, PhasesRequest const& request) {
  PhaseStudy study(request);
  RunTrace trace(request.flow.trace);
  Interrupt const interrupt;
  std::jthread gpu = start_gpu_for(request.flow);
  study.take(request.flow.image.read());
  OutputFolder const folder(options.out);
  trace.prepare_folder(folder);
  warn_of_ranks_left_to_first();
  if (gpu.joinable()) gpu.join();
  study.run(Interrupt::requested());
  trace.write("", {.workers = study.workers()});
  auto const voxel_size_m = study.image().voxel_size_m;
  if (Ranks::is_root()) {
    write_phases_csv(folder.path() / "phases.csv", study.answers(), voxel_size_m);
    write_json(folder.path() / "results.json", study.results());
  }
  if (!options.quiet) {
    print_all([&] {
      print_phases(study.answers(), voxel_size_m);
      fmt::print("written to {}\n", folder.path().string());
    });
  }
  return study.complete() ? done : not_converged;
}

}  // namespace

Command add_phases_command(CLI::App& command) {
  auto const options = std::make_shared<PhasesCommand>();
  options->add_to(command);
  return [options] {
    set_up_log(options->verbosity());
    survive_broken_pipes();
    PhasesRequest const request = options->request();
    auto const run = [&] { return phases(*options, request); };
    bool const by_first = are_flows_for_first(request.flow.workers);
    return by_first ? run_by_first(run) : run();
  };
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "interfaces/cli/machine_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "graph/balance/balance_names.hpp"
#include "interfaces/cli/values.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {

void MachineOptions::add_to(CLI::App& command) {
  command.option_defaults()->group("Machine");
  command.add_option("--gpus", gpus,
                     "GPUs to compute on; 0: cores (default: all that shorten a step)");
  command.add_option("--cores", cores,
                     "Cores to compute on: a number, or auto: all, and beside GPUs as many as help "
                     "(default: auto)");
  command
      .add_option("--balance", balance,
                  "Who decides where a tile is computed: static (the cut), dynamic (tiles move by "
                  "measured speeds) or free (StarPU's scheduler, for each task anew)")
      ->default_str("dynamic");
  command.add_option("--tiles", tiles, "Number of tiles (default: chosen)");
  command.add_option("--steps-per-sweep", steps_per_sweep,
                     "Steps on a tile at a time (default: 1, more if GPU memory is too small)");
  command.add_option("--scheduler", scheduler,
                     "StarPU's policy for tasks that have no home (default: $STARPU_SCHED, else "
                     "lws)");
  command.add_option("--trace", trace,
                     "Folder for a trace of the workers, paje.trace for ViTE, and its picture");
}

void MachineOptions::override_in(Case::Run& run) const {
  if (gpus) run.gpus = *gpus;
  if (cores) run.cores = *cores;
  static_cast<void>(workers_asked(run.gpus, run.cores));
  if (balance) run.balance = parse_name("balance", *balance, balance_names);
  if (tiles) require_at_least_one("tiles", *tiles);
  if (steps_per_sweep) require_at_least_one("steps-per-sweep", *steps_per_sweep);
  if (tiles) run.tiles = tiles;
  if (steps_per_sweep) run.steps_per_sweep = steps_per_sweep;
  if (scheduler) run.scheduler = *scheduler;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "case/lattice/case_job.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "base/ranks/ranks.hpp"
#include "case/lattice/case_results.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/plan/tile_count.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// All ranks.
TilesAsked tiles_asked(Case const& c, CaseSetup const& setup, Workers const& workers) {
  TilesAsked asked;
  asked.model = setup.model;
  asked.precision = c.model.precision;
  asked.tiles = c.run.tiles.value_or(0);
  asked.balance = c.run.balance;
  asked.steps_per_sweep = c.run.steps_per_sweep.value_or(0);
  asked.nodes_per_tile = tuned_nodes_per_tile(workers.gpus > 0, asked.precision);
  // After how many steps a decision falls must not depend on whose host has been tuned.
  asked.window =
      static_cast<int>(Ranks::broadcast_number(tuned_window(workers.gpus > 0, asked.precision)));
  return asked;
}

}  // namespace

void check_machine(Case const& c) {
  Runtime::check_scheduler(c.run.scheduler);
  check_workers(workers_asked(c.run.gpus, c.run.cores));
}

CheckpointPlan checkpoint_plan(Case const& c, std::optional<double> minutes, bool resume) {
  Case::Checkpoint const& asked = c.output.checkpoint;
  return {.every = asked.every, .minutes = minutes ? minutes : asked.minutes, .resume = resume};
}

CaseJob::CaseJob(Case const& c, CaseSetup const& setup, fs::path folder,
                 CheckpointPlan const& checkpoints)
    : case_(c),
      setup_(setup),
      run_(this_run()),
      folder_(std::move(folder)),
      checkpoints_(folder_ / "checkpoint.h5", checkpoints, identity_of(c, setup),
                   [&] { return sha256_of(setup.box.geometry); }) {}

void CaseJob::compute(std::atomic<bool> const& stop, FlowWatch* watch, ObserveCase const& observe) {
  WorkerPlan const plan = plan_workers(workers_asked(case_.run.gpus, case_.run.cores),
                                       pore_voxels(setup_.box.geometry), case_.model.precision);
  Runtime const runtime(case_.run.scheduler, static_cast<int>(plan.workers.cores),
                        static_cast<int>(plan.workers.gpus));
  if (checkpoints_.earlier() == nullptr && Ranks::is_root()) remove_old_fields(folder_);
  records_.emplace(case_, setup_, folder_);
  outcome_ =
      run_case(case_, setup_, tiles_asked(case_, setup_, plan.workers), plan.workers, *records_,
               observe, {.stop = &stop, .watch = watch, .checkpoints = &checkpoints_});
  outcome_.performance.note_workers(plan, case_.run.balance);
  outcome_.performance.add_checkpoints(checkpoints_.report());
  if (outcome_.end == RunEnd::diverged) {
    log_error(
        "the flow diverged before step {}{}: expected a larger viscosity, a lower speed or a "
        "smaller force",
        outcome_.steps, outcome_.absurd.empty() ? "" : fmt::format(", {}", outcome_.absurd));
  }
}

Json CaseJob::results() const {
  Json results = case_results(run_, case_, outcome_, *records_);
  results["stop"]["changed_parameters"] = checkpoints_.history();
  return results;
}

void CaseJob::write_records() {
  records_->write();
  if (outcome_.state) records_->write_last_fields(outcome_.steps, *outcome_.state);
  checkpoints_.repeat_failure();
}

}  // namespace tessera

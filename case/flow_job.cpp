// SPDX-License-Identifier: MIT
#include "case/flow_job.hpp"

#include <utility>

#include "base/ranks/ranks.hpp"
#include "case/toml_json.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/results/results_json.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/provenance.hpp"

namespace tessera {

void check_machine(CaseFile const& c) {
  Runtime::check_scheduler(c.run.scheduler);
  check_workers(workers_asked(c.run.gpus, c.run.cores));
}

CheckpointPlan checkpoint_plan(CaseFile::Checkpoint const& asked, std::optional<double> minutes,
                               bool resume) {
  return {.every = asked.every, .minutes = minutes ? minutes : asked.minutes, .resume = resume};
}

FlowJob::FlowJob(CaseFile const& c, std::filesystem::path folder, CheckpointPlan const& plan,
                 FlowIdentity identity, Checkpoints::HashOfPores const& hash)
    : case_(c),
      run_(this_run()),
      folder_(std::move(folder)),
      checkpoints_(folder_ / "checkpoint.h5", plan, std::move(identity), hash) {}

void FlowJob::compute(std::atomic<bool> const& stop, FlowWatch* watch, ObserveFlow const& observe) {
  WorkerPlan const plan = choose_workers();
  Runtime const runtime(case_.run.scheduler, static_cast<int>(plan.workers.cores),
                        static_cast<int>(plan.workers.gpus));
  run(plan.workers, observe, {.stop = &stop, .watch = watch, .checkpoints = &checkpoints_},
      performance_);
  performance_.note_workers(plan, case_.run.balance);
  performance_.add_checkpoints(checkpoints_.report());
  if (outcome().end == RunEnd::diverged) log_error("the flow diverged {}", why_diverged());
}

void FlowJob::remove_old_fields() {
  if (checkpoints_.earlier() == nullptr && Ranks::is_root()) tessera::remove_old_fields(folder_);
}

Json FlowJob::results() const {
  Json constants = Json::object();
  for (auto const& [name, value] : case_.constants) constants[name] = value;
  RunOutcome const& end = outcome();
  Json stop = end_section();
  stop.update({{"steps", end.steps},
               {"resumed_after_step", end.first_step == 0 ? Json() : Json(end.first_step)},
               {"changed_parameters", checkpoints_.history()}});
  Json results{{"run", to_json(run_)},
               {"case",
                {{"file", case_.file.string()},
                 {"title", case_.title},
                 {"set", case_.overrides},
                 {"input", to_json(case_.input)},
                 {"files", files()}}},
               {"constants", constants}};
  results.update(set_up_section());
  results["stop"] = stop;
  results.update(found_section());
  results.update({{"warnings", warnings_given()},
                  {"performance", performance_section()},
                  {"software", to_json(software_result())}});
  return results;
}

void FlowJob::write_records() {
  write_own_records();
  checkpoints_.repeat_failure();
}

}  // namespace tessera

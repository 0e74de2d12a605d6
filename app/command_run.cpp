// SPDX-License-Identifier: MIT
// A case file in, its flow out.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "case/case_in_situ.hpp"
#include "case/case_records.hpp"
#include "case/case_results.hpp"
#include "case/case_run.hpp"
#include "case/case_setup.hpp"
#include "case/file/case.hpp"
#include "case/file/schema.hpp"
#include "cli/log.hpp"
#include "cli/options.hpp"
#include "cli/output_folder.hpp"
#include "cli/streams.hpp"
#include "graph/runtime.hpp"
#include "io/results_json.hpp"
#include "lattice/errors.hpp"
#include "plan/tile_count.hpp"
#include "plan/worker_plan.hpp"
#include "ranks/ranks.hpp"
#include "run/checkpoints.hpp"
#include "run/in_situ.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/progress_line.hpp"
#include "run/provenance.hpp"
#include "run/rank_report.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string file;
  std::string out;
  std::vector<std::string> set;
  std::optional<double> checkpoint_minutes;
  bool resume = false;
  bool check = false;
  bool schema = false;
  bool quiet = false;

  void add_to(CLI::App& command) {
    command.option_defaults()->group("Case");
    command.add_option("CASE.toml", file, "What flows, in what, how: docs/case-files.md");
    command
        .add_option("--set", set,
                    "A value in place of the file's: N=64 for one of [constants], "
                    "model.collision=mrt for another key; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_flag("--check", check, "Say what has been understood, and compute nothing");
    command.add_flag("--schema", schema, "Print a JSON schema of case files, for editors");
    command.option_defaults()->group("Stopping");
    add_checkpoint_options(command, checkpoint_minutes, resume);
    command.option_defaults()->group("Output");
    command.add_option("--out", out, "Folder for the results; made if need be");
    command.add_flag("--quiet", quiet, "Print nothing but errors");
  }
};

TilesAsked tiles_asked(Case const& c, CaseSetup const& setup, Workers const& workers) {
  TilesAsked asked;
  asked.model = setup.model;
  asked.precision = c.model.precision;
  asked.tiles = c.run.tiles.value_or(0);
  asked.balance = parse_balance(c.run.balance);
  asked.steps_per_sweep = c.run.steps_per_sweep.value_or(0);
  asked.nodes_per_tile = tuned_nodes_per_tile(workers.gpus > 0, asked.precision);
  asked.window = tuned_window(workers.gpus > 0, asked.precision);
  return asked;
}

/// Fields of an earlier run would stand beside results that are not theirs.
void remove_old_fields(fs::path const& folder) {
  for (fs::directory_entry const& entry : fs::directory_iterator(folder)) {
    if (is_name_of_fields(entry.path().filename().string())) fs::remove(entry.path());
  }
}

/// What people see of the run.
class CaseWatcher {
 public:
  CaseWatcher(Case const& c, bool quiet) : steps_(c.stop.steps), quiet_(quiet) {}

  void show(CaseProgress const& p) {
    if (!line_) line_.emplace(std::string{}, p.nodes, p.step, quiet_);
    if (!line_->is_due()) return;
    line_->print(p.step, steps_, p.change ? fmt::format("change {:.1e}  ", *p.change) : "");
  }

 private:
  std::optional<std::int64_t> steps_;
  bool quiet_;
  std::optional<ProgressLine> line_;  ///< once the flow has begun
};

int status_of(Case const& c, RunEnd end) {
  switch (end) {
    case RunEnd::settled:
      return done;
    case RunEnd::all_steps:
      return c.stop.steady ? not_converged : done;
    case RunEnd::interrupted:
    case RunEnd::steered:
      return not_converged;
    case RunEnd::diverged:
    case RunEnd::look_failed:
      break;
  }
  return failed;
}

void print_summary(Case const& c, CaseOutcome const& outcome, CaseRecords const& records) {
  fmt::print(
      "{} after {} steps{}, {:.1f} s, {:.1f} MFLUPS\n", describe(outcome.end, case_ends),
      outcome.steps,
      outcome.first_step == 0 ? "" : fmt::format(" ({} of them earlier)", outcome.first_step),
      outcome.seconds, outcome.performance.result().mflups);
  if (auto const& figures = records.last_figures()) {
    FieldUnits const units = field_units(c.fluid.viscosity, c.units);
    fmt::print("{}", describe(in_units(*figures, units), units.in_si));
  }
  for (std::size_t i = 0; i < c.output.forces.size(); ++i) {
    auto const& force = records.last_forces()[i];
    auto const numbers = coefficients(c.output.forces[i], force).value_or(force);
    fmt::print("{}: {} ({:.6g}, {:.6g}, {:.6g})\n", c.output.forces[i].name,
               c.output.forces[i].speed ? "coefficients" : "force in lattice units", numbers[0],
               numbers[1], numbers[2]);
  }
}

class CaseJob {
 public:
  CaseJob(Case const& c, CaseSetup const& setup, RunOptions const& options)
      : case_(c), setup_(setup), options_(options) {}

  int run(InSituOptions const& in_situ) {
    Runtime::check_scheduler(case_.run.scheduler);
    WorkersAsked const asked = workers_asked(case_.run.gpus, case_.run.cores);
    check_workers(asked);
    check_checkpoint_minutes(options_.checkpoint_minutes);
    OutputFolder const folder(options_.out);
    if (!options_.quiet) print_ranks(run_.ranks);
    try {
      compute(asked, in_situ, folder.path());
    } catch (BadInput const&) {  // a script that fails with its first frame
      in_situ_.reset();
      folder.discard();
      throw;
    }
    return files_lost_ ? failed : status_of(case_, outcome_.end);
  }

 private:
  void compute(WorkersAsked const& asked, InSituOptions const& in_situ, fs::path const& folder) {
    Interrupt const interrupt;
    Checkpoints checkpoints(folder / "checkpoint.h5", checkpoint_plan(), setup_.box.geometry,
                            identity_of(case_, setup_));
    if (!in_situ.scripts.empty()) {
      in_situ_.emplace(in_situ, folder / case_.insitu.folder);
      in_situ_->begin(scene_of(case_, setup_), {}, checkpoints.first_step());
    }
    WorkerPlan const plan =
        plan_workers(asked, setup_.box.geometry.pore_voxels(), case_.model.precision);
    Runtime const runtime(case_.run.scheduler, static_cast<int>(plan.workers.cores),
                          static_cast<int>(plan.workers.gpus));
    if (checkpoints.earlier() == nullptr && Ranks::is_first()) remove_old_fields(folder);
    CaseRecords records(case_, setup_, folder);
    {
      CaseWatcher watcher(case_, options_.quiet);
      outcome_ = run_case(case_, setup_, tiles_asked(case_, setup_, plan.workers), plan.workers,
                          records, [&](CaseProgress const& progress) { watcher.show(progress); },
                          {.stop = &Interrupt::requested(),
                           .watch = in_situ_ ? &*in_situ_ : nullptr,
                           .checkpoints = &checkpoints});
    }
    outcome_.performance.note_workers(plan, case_.run.balance);
    outcome_.performance.add_checkpoints(checkpoints.report());
    report(records, checkpoints, folder);
  }

  CheckpointPlan checkpoint_plan() const {
    Case::Checkpoint const& asked = case_.output.checkpoint;
    return {.every = asked.every,
            .minutes = options_.checkpoint_minutes ? options_.checkpoint_minutes : asked.minutes,
            .resume = options_.resume};
  }

  /// The answer first: what fails after it must not take it along.
  void report(CaseRecords& records, Checkpoints const& checkpoints, fs::path const& folder) {
    records.losses().repeat();
    fs::path const file = folder / "results.json";
    bool const kept = records.losses().attempt(file.string(), [&] {
      Json results = case_results(run_, case_, outcome_, records);
      results["stop"]["changed_parameters"] = checkpoints.history();
      if (in_situ_) results["insitu"] = to_json(in_situ_->result());
      write_json(file, results);
    });
    // Else nobody would ever know.
    if (!options_.quiet || !kept) print_all([&] { print_summary(case_, outcome_, records); });
    records.write();
    if (outcome_.state) records.write_last_fields(outcome_.steps, *outcome_.state);
    if (!options_.quiet) {
      print_all([&] {
        if (in_situ_) print_in_situ(in_situ_->result());
        fmt::print("written to {}\n", (folder / "").string());
      });
    }
    checkpoints.repeat_failure();
    files_lost_ = records.losses().any();
    if (outcome_.end == RunEnd::diverged) {
      spdlog::error(
          "the flow diverged before step {}{}: expected a larger viscosity, a lower speed "
          "or a smaller force",
          outcome_.steps, outcome_.absurd.empty() ? "" : fmt::format(", {}", outcome_.absurd));
    }
  }

  Case const& case_;
  CaseSetup const& setup_;
  RunOptions const& options_;
  RunResult run_ = this_run();
  std::optional<InSitu> in_situ_;
  CaseOutcome outcome_;
  bool files_lost_ = false;
};

int run(RunOptions const& options) {
  if (options.schema) {
    fmt::print("{}\n", case_schema().dump(2));
    return done;
  }
  if (options.file.empty()) throw BadInput("run: expected a case file, CASE.toml");
  if (options.out.empty() && !options.check)
    throw BadInput("run: expected --out DIR for the results, or --check");
  Case const c = read_case(options.file, options.set);
  CaseSetup const setup = set_up(c);
  InSituOptions const in_situ = in_situ_options(c);
  check_in_situ(in_situ);
  if (!in_situ.scripts.empty()) Ranks::expect_alone("[insitu]");
  if (options.check) {
    fmt::print("{}", describe(c));
    for (std::string const& warning : setup.box.warnings) fmt::print("warning     {}\n", warning);
    return done;
  }
  for (std::string const& warning : c.warnings) spdlog::warn(warning);
  for (std::string const& warning : setup.box.warnings) spdlog::warn(warning);
  return CaseJob(c, setup, options).run(in_situ);
}

}  // namespace

Command add_run_command(CLI::App& command) {
  auto const options = std::make_shared<RunOptions>();
  options->add_to(command);
  return [options] {
    set_up_log(options->quiet ? Verbosity::quiet : Verbosity::normal);
    survive_broken_pipes();
    return run(*options);
  };
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// A case file in, its flow out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "case/file/case.hpp"
#include "case/file/gas_case.hpp"
#include "case/file/keys/schema.hpp"
#include "case/lattice/case_in_situ.hpp"
#include "case/lattice/case_job.hpp"
#include "case/lattice/case_records.hpp"
#include "case/lattice/case_setup.hpp"
#include "interfaces/cli/permeability_options.hpp"
#include "interfaces/commands/commands.hpp"
#include "interfaces/commands/report_case.hpp"
#include "interfaces/commands/run_options.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/console/streams.hpp"
#include "run/insitu/in_situ.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/progress_line.hpp"
#include "run/rank_report.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

void add_options(CLI::App& command, RunOptions& options) {
  command.option_defaults()->group("Case");
  command.add_option("CASE.toml", options.file, "What flows, in what, how: docs/case-files.md");
  command
      .add_option("--set", options.set,
                  "A value in place of the file's: N=64 for one of [constants], "
                  "model.collision=mrt for another key; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--check", options.check, "Say what has been understood, and compute nothing");
  command.add_flag("--schema", options.schema, "Print a JSON schema of case files, for editors");
  command.option_defaults()->group("Stopping");
  add_checkpoint_options(command, options.checkpoint_minutes, options.resume);
  options.machine.add_to(command);
  command.option_defaults()->group("Output");
  command.add_option("--out", options.out, "Folder for the results; made if need be");
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
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

/// The run itself; returns the exit status.
class CaseCommand {
 public:
  CaseCommand(Case const& c, CaseSetup const& setup, RunOptions const& options)
      : case_(c), setup_(setup), options_(options) {}

  int run(InSituOptions const& in_situ) {
    check_machine(case_);
    check_checkpoint_minutes(options_.checkpoint_minutes);
    RunTrace trace(options_.machine.trace);
    OutputFolder const folder(options_.out);
    trace.prepare_folder(folder);
    if (!options_.quiet) print_ranks(ranks_result());
    try {
      compute(in_situ, folder.path(), trace);
    } catch (BadInput const& error) {  // a script that fails with its first frame
      in_situ_.reset();
      folder.discard(error);
      throw;
    }
    return files_lost_ ? failed : status_of(case_, end_);
  }

 private:
  void compute(InSituOptions const& in_situ, fs::path const& folder, RunTrace& trace) {
    CaseJob job(case_, setup_, folder,
                checkpoint_plan(case_, options_.checkpoint_minutes, options_.resume));
    if (!in_situ.scripts.empty()) {
      in_situ_.emplace(in_situ, folder / case_.insitu.folder);
      in_situ_->begin(scene_of(case_, setup_), {}, job.checkpoints().first_step());
    }
    {
      CaseWatcher watcher(case_, options_.quiet);
      job.compute(Interrupt::requested(), in_situ_ ? &*in_situ_ : nullptr,
                  [&](CaseProgress const& progress) {
                    watcher.show(progress);
                    trace.note_tasks(progress.step * progress.tiles);
                  });
    }
    end_ = job.outcome().end;
    files_lost_ = !report_case(job, in_situ_ ? &*in_situ_ : nullptr, folder, options_.quiet,
                               [&] { print_summary(case_, job.outcome(), job.records()); });
    if (!trace.is_on()) return;
    files_lost_ |= !job.records().losses().attempt(
        trace.name(), [&] { trace.write("", job.outcome().performance.result()); });
  }

  Case const& case_;
  CaseSetup const& setup_;
  RunOptions const& options_;
  std::optional<InSitu> in_situ_;
  RunEnd end_ = RunEnd::all_steps;
  bool files_lost_ = false;
};

int run_case_of_lattice(Case const& c, RunOptions const& options) {
  CaseSetup const setup = set_up(c);
  InSituOptions const in_situ = in_situ_options(c);
  check_in_situ(in_situ);
  if (options.check) {
    fmt::print("{}", describe(c));
    for (std::string const& warning : setup.box.warnings) fmt::print("warning     {}\n", warning);
    return done;
  }
  for (std::string const& warning : c.warnings) log_warning(warning);
  for (std::string const& warning : setup.box.warnings) log_warning(warning);
  return CaseCommand(c, setup, options).run(in_situ);
}

int run(RunOptions const& options) {
  if (options.schema) {
    fmt::print("{}\n", case_schema().dump(2));
    return done;
  }
  if (options.file.empty()) throw BadInput("run: expected a case file, CASE.toml");
  if (options.out.empty() && !options.check)
    throw BadInput("run: expected --out DIR for the results, or --check");
  // Before the reading, which takes time: a run that is asked to end then ends cleanly, too.
  std::optional<Interrupt> interrupt;
  if (!options.check) interrupt.emplace();
  auto read = read_any_case(options.file, options.set);
  std::visit([&](auto& of_any_method) { options.machine.override_in(of_any_method.run); }, read);
  if (auto const* gas = std::get_if<GasCase>(&read)) return run_case_of_gas(*gas, options);
  return run_case_of_lattice(std::get<Case>(read), options);
}

}  // namespace

Command add_run_command(CLI::App& command) {
  auto const options = std::make_shared<RunOptions>();
  add_options(command, *options);
  return [options] {
    set_up_log(options->quiet ? Verbosity::quiet : Verbosity::normal);
    survive_broken_pipes();
    return run(*options);
  };
}

}  // namespace tessera

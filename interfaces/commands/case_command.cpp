// SPDX-License-Identifier: MIT
#include "interfaces/commands/case_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "interfaces/cli/command.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "run/console/output_folder.hpp"
#include "run/console/pace.hpp"
#include "run/console/streams.hpp"
#include "run/insitu/in_situ.hpp"
#include "run/interrupt.hpp"
#include "run/losses.hpp"
#include "run/performance.hpp"
#include "run/progress_line.hpp"
#include "run/rank_report.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// What people see of the flow while it runs.
class CaseWatcher {
 public:
  explicit CaseWatcher(bool quiet) : quiet_(quiet) {}

  void show(FlowProgress const& p) {
    if (!line_) {
      line_.emplace(std::string{}, p.nodes, p.step, quiet_, Pace::of_standard_error(),
                    p.nodes > 0 ? "step" : "time step");
    }
    if (line_->is_due()) line_->print(p.step, p.of, known(p));
  }

 private:
  static std::string known(FlowProgress const& p) {
    if (p.change) return fmt::format("change {:.1e}  ", *p.change);
    return p.time ? fmt::format("time {:.6g}", *p.time) : "";
  }

  bool quiet_;
  std::optional<ProgressLine> line_;  ///< once the flow has begun
};

class CaseCommand {
 public:
  CaseCommand(CaseOfMethod const& c, RunOptions const& options) : case_(c), options_(options) {}

  int run() {
    check_machine(case_.file);
    check_checkpoint_minutes(options_.checkpoint_minutes);
    RunTrace trace(options_.machine.trace);
    OutputFolder const folder(options_.out);
    trace.prepare_folder(folder);
    if (!options_.quiet) print_ranks(ranks_result());
    try {
      return run_in(folder.path(), trace);
    } catch (BadInput const& error) {  // a script that fails with its first frame
      in_situ_.reset();
      folder.discard(error);
      throw;
    }
  }

 private:
  int run_in(fs::path const& folder, RunTrace& trace) {
    std::unique_ptr<FlowJob> const job = case_.job(
        folder, checkpoint_plan(case_.checkpoint, options_.checkpoint_minutes, options_.resume));
    if (!case_.in_situ.scripts.empty()) {
      in_situ_.emplace(case_.in_situ, folder / case_.file.insitu.folder);
      in_situ_->begin(job->scene(), {}, job->checkpoints().first_step());
    }
    {
      CaseWatcher watcher(options_.quiet);
      job->compute(Interrupt::requested(), in_situ_ ? &*in_situ_ : nullptr,
                   [&](FlowProgress const& progress) {
                     watcher.show(progress);
                     trace.note_tasks(progress.step * progress.tiles);
                   });
    }
    bool files_lost = !report(*job, folder);
    if (trace.is_on()) {
      files_lost |=
          !job->losses().attempt(trace.name(), [&] { trace.write("", job->performance()); });
    }
    return files_lost ? failed : status_of(*job);
  }

  /// Collective. The answer comes first: what fails after it must not take it along. Returns
  /// whether all files were written.
  bool report(FlowJob& job, fs::path const& folder) const {
    Losses& losses = job.losses();
    losses.repeat();
    fs::path const file = folder / "results.json";
    bool const kept = losses.attempt(file.string(), [&] {
      Json results = job.results();
      if (in_situ_) results["insitu"] = to_json(in_situ_->result());
      write_json(file, results);
    });
    // An answer that is in no file is printed to those who want no words, too.
    if (!options_.quiet || !kept) print_all([&] { fmt::print("{}", job.summary()); });
    job.write_records();
    if (!options_.quiet) {
      print_all([&] {
        if (in_situ_) print_in_situ(in_situ_->result());
        fmt::print("written to {}\n", (folder / "").string());
      });
    }
    return !Ranks::any(losses.any());
  }

  static int status_of(FlowJob const& job) {
    if (job.is_complete()) return done;
    RunEnd const end = job.outcome().end;
    return end == RunEnd::diverged || end == RunEnd::look_failed ? failed : not_converged;
  }

  CaseOfMethod const& case_;
  RunOptions const& options_;
  std::optional<InSitu> in_situ_;
};

}  // namespace

int run_case_of(CaseOfMethod const& c, RunOptions const& options) {
  return CaseCommand(c, options).run();
}

}  // namespace tessera

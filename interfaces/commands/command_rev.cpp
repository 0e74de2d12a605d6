// SPDX-License-Identifier: MIT
// How large a piece of a rock must be to stand for it: permeabilities of many sub-volumes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include "base/machine/seconds_since.hpp"
#include "base/ranks/ranks.hpp"
#include "interfaces/cli/study_options.hpp"
#include "interfaces/commands/by_first.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/studies/rev.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/console/pace.hpp"
#include "run/console/streams.hpp"
#include "run/interrupt.hpp"
#include "run/rank_report.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

/// How far it is, for people.
class RevProgress {
 public:
  RevProgress(std::size_t all, bool quiet) : all_(all), quiet_(quiet) {}
  ~RevProgress() {
    if (!quiet_) say(pace_.end());
  }
  RevProgress(RevProgress const&) = delete;
  RevProgress& operator=(RevProgress const&) = delete;

  void note() {
    ++done_;
    if (quiet_ || !pace_.is_due()) return;
    double const left =
        seconds_since(start_) * static_cast<double>(all_ - done_) / static_cast<double>(done_);
    say(pace_.line(fmt::format("{} of {} sub-volumes, about {:.0f} s left", done_, all_, left)));
  }

 private:
  std::size_t all_;
  std::size_t done_ = 0;
  bool quiet_;
  Pace pace_ = Pace::of_standard_error();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int rev(RevCommand const& options, RevRequest const& request) {
  Interrupt const interrupt;
  std::jthread gpu = start_gpu_for(request.flow);
  RunTrace trace(request.flow.trace);
  RevStudy study(request, request.flow.image.read());
  OutputFolder const folder(options.out);
  trace.prepare_folder(folder);
  warn_of_ranks_left_to_first();
  if (gpu.joinable()) gpu.join();
  {
    RevProgress progress(study.sub_volumes(), options.quiet);
    study.run(Interrupt::requested(), [&](SubVolumeAnswer const&) { progress.note(); });
  }
  trace.write("", {.workers = study.workers()});
  RevUnits const units = study.units();
  if (Ranks::is_root()) {
    write_json(folder.path() / "results.json", study.results());
    write_rev_csv(folder.path() / "rev.csv", study.answers(), units);
    write_rev_chart(folder.path() / "rev.svg", study.image().path, study.answers(), units);
  }
  if (!options.quiet) {
    print_all([&] {
      print_rev(study.statistics(), units);
      fmt::print("{} sub-volumes in {:.3g} s; written to {}\n", study.answers().size(),
                 study.seconds(), folder.path().string());
    });
  }
  return study.complete() ? done : not_converged;
}

}  // namespace

Command add_rev_command(CLI::App& command) {
  auto const options = std::make_shared<RevCommand>();
  options->add_to(command);
  return [options] {
    set_up_log(options->verbosity());
    survive_broken_pipes();
    RevRequest const request = options->request();
    auto const run = [&] { return rev(*options, request); };
    bool const by_first = are_flows_for_first(request.flow.workers);
    return by_first ? run_by_first(run) : run();
  };
}

}  // namespace tessera

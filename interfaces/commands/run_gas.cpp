// SPDX-License-Identifier: MIT
// `tessera run` of a case of spectral differences.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/settings.hpp"
#include "case/spectral/gas_in_situ.hpp"
#include "case/spectral/gas_job.hpp"
#include "interfaces/cli/command.hpp"
#include "interfaces/commands/report_case.hpp"
#include "interfaces/commands/run_options.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/insitu/in_situ.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/progress_line.hpp"
#include "run/rank_report.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

int status_of(RunEnd end) {
  if (end == RunEnd::all_steps) return done;
  bool const early = end == RunEnd::interrupted || end == RunEnd::steered;
  return early ? not_converged : failed;
}

void print_summary(GasJob const& job, bool has_exact) {
  GasOutcome const& outcome = job.outcome();
  fmt::print(
      "{} after {} steps{}, time {:.6g}, {:.1f} s, {:.1f} M points/s\n",
      describe(outcome.end, gas_ends), outcome.steps,
      outcome.first_step == 0 ? "" : fmt::format(" ({} of them earlier)", outcome.first_step),
      outcome.measured.time, outcome.seconds, job.points_per_second() * 1e-6);
  if (!outcome.state) return;
  fmt::print("mass {:.12g}, energy {:.12g}, entropy error {:.4e}\n",
             outcome.measured.integrals.conserved[spectral::density],
             outcome.measured.integrals.conserved[spectral::energy], outcome.entropy_error);
  if (!has_exact) return;
  GasErrors const errors = errors_of(outcome.measured);
  fmt::print("errors (L2): density {:.6e}, velocity {:.6e}, pressure {:.6e}\n", errors.density.l2,
             errors.velocity.l2, errors.pressure.l2);
}

}  // namespace

int run_case_of_gas(GasCase const& c, RunOptions const& options) {
  for (auto const& [name, is_given] :
       {std::pair{"trace", !options.machine.trace.empty()},
        {"steps-per-sweep", options.machine.steps_per_sweep.has_value()}}) {
    if (is_given) throw BadInput(setting_name(name) + ": expected a case of a lattice");
  }
  GasSetup const setup = set_up(c);
  InSituOptions const in_situ = in_situ_options(c);
  check_in_situ(in_situ);
  if (options.check) {
    check_initial_state(c, setup);
    fmt::print("{}{:<12}{} in {} elements\n", describe(c), "points", setup.of.mesh.points(),
               setup.of.mesh.elements());
    return done;
  }
  check_checkpoint_minutes(options.checkpoint_minutes);
  OutputFolder const folder(options.out);
  if (!options.quiet) print_ranks(ranks_result());
  try {
    Case::Checkpoint const& asked = c.output.checkpoint;
    GasJob job(c, setup, folder.path(),
               {.every = asked.every,
                .minutes = options.checkpoint_minutes ? options.checkpoint_minutes : asked.minutes,
                .resume = options.resume});
    std::optional<InSitu> looks;
    if (!in_situ.scripts.empty()) {
      looks.emplace(in_situ, folder.path() / c.insitu.folder);
      looks->begin(scene_of(c, setup), {}, job.checkpoints().first_step());
    }
    InSitu* const watch = looks ? &*looks : nullptr;
    {
      std::optional<ProgressLine> line;
      job.compute(Interrupt::requested(), watch, [&](GasProgress const& p) {
        if (!line)
          line.emplace("", 0, p.step, options.quiet, Pace::of_standard_error(), "time step");
        if (line->is_due()) line->print(p.step, p.of, fmt::format("time {:.6g}", p.time));
      });
    }
    bool const written = report_case(job, watch, folder.path(), options.quiet,
                                     [&] { print_summary(job, c.output.exact.has_value()); });
    return written ? status_of(job.outcome().end) : failed;
  } catch (BadInput const& error) {
    folder.discard(error);
    throw;
  }
}

}  // namespace tessera

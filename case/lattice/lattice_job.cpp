// SPDX-License-Identifier: MIT
#include "case/lattice/lattice_job.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "base/ranks/ranks.hpp"
#include "case/lattice/case_in_situ.hpp"
#include "case/lattice/case_results.hpp"
#include "io/results/results_json.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/plan/tile_count.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {
namespace {

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

LatticeJob::LatticeJob(Case const& c, CaseSetup const& setup, std::filesystem::path folder,
                       CheckpointPlan const& plan)
    : FlowJob(c, std::move(folder), plan, identity_of(c, setup),
              [&setup] { return sha256_of(setup.box.geometry); }),
      case_(c),
      setup_(setup) {}

Scene LatticeJob::scene() const { return scene_of(case_, setup_); }

WorkerPlan LatticeJob::choose_workers() const {
  return plan_workers(workers_asked(case_.run.gpus, case_.run.cores),
                      pore_voxels(setup_.box.geometry), case_.model.precision);
}

void LatticeJob::run(Workers const& workers, ObserveFlow const& observe, RunControl const& control,
                     Performance& performance) {
  remove_old_fields();
  records_.emplace(case_, setup_, folder());
  outcome_ = run_case(case_, setup_, tiles_asked(case_, setup_, workers), workers, *records_,
                      performance, observe, control);
}

bool LatticeJob::is_complete() const {
  return outcome_.end == RunEnd::settled ||
         (outcome_.end == RunEnd::all_steps && !case_.stop.steady);
}

std::string LatticeJob::summary() const {
  std::string text = fmt::format(
      "{} after {} steps{}, {:.1f} s, {:.1f} MFLUPS\n", describe(outcome_.end, case_ends),
      outcome_.steps,
      outcome_.first_step == 0 ? "" : fmt::format(" ({} of them earlier)", outcome_.first_step),
      outcome_.seconds, performance().mflups);
  if (auto const& figures = records_->last_figures()) {
    FieldUnits const units = field_units(case_.fluid.viscosity, case_.units);
    text += describe(in_units(*figures, units), units.in_si);
  }
  for (std::size_t i = 0; i < case_.output.forces.size(); ++i) {
    Case::ForceOutput const& output = case_.output.forces[i];
    auto const& force = records_->last_forces()[i];
    auto const numbers = coefficients(output, force).value_or(force);
    text += fmt::format("{}: {} ({:.6g}, {:.6g}, {:.6g})\n", output.name,
                        output.speed ? "coefficients" : "force in lattice units", numbers[0],
                        numbers[1], numbers[2]);
  }
  return text;
}

std::string LatticeJob::why_diverged() const {
  return fmt::format(
      "before step {}{}: expected a larger viscosity, a lower speed or a smaller force",
      outcome_.steps, outcome_.absurd.empty() ? "" : fmt::format(", {}", outcome_.absurd));
}

void LatticeJob::write_own_records() {
  records_->write();
  if (outcome_.state) records_->write_last_fields(outcome_.steps, *outcome_.state);
}

Json LatticeJob::files() const { return files_json(case_); }

Json LatticeJob::set_up_section() const { return set_up_json(case_, outcome_.mach); }

Json LatticeJob::end_section() const {
  return {{"reason", describe(outcome_.end, case_ends)},
          {"steady", outcome_.end == RunEnd::settled},
          {"change", or_null(outcome_.change)}};
}

Json LatticeJob::found_section() const { return found_json(case_, *records_); }

Json LatticeJob::performance_section() const { return to_json(performance()); }

}  // namespace tessera

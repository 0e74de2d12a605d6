// SPDX-License-Identifier: MIT
// What the iterations of the Krylov solver are for: a permeability that its own state confirms.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/machine/seconds_since.hpp"
#include "io/json.hpp"
#include "permeability/flows/saved_force.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "run/next_multiple.hpp"

namespace tessera {
namespace {

/// Iterations between looks at the estimate.
constexpr std::int64_t interval = 2;
/// What comes nowhere near has met something that the solver is not made for.
constexpr std::int64_t most_iterations = 1000;

}  // namespace

class StokesRun::Series : public RunAim {
 public:
  Series(StokesRun& run, AxisFlow::Observe const& observe)
      : run_(run), observe_(observe), tolerance_(run.asked_.tolerance) {}

  void begin() override {}

  void go_on_from(Checkpoints const& checkpoints) override {
    SavedValues const saved = checkpoints.run();
    auto const steps = saved.steps("iterations", checkpoints.first_step());
    auto const k = saved.numbers("k");
    auto const error = saved.numbers("error");
    if (k.size() != steps.size() || error.size() != steps.size())
      saved.refuse("'iterations', 'k' and 'error' are not of one length");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      PermeabilityPoint point;
      point.step = steps[i];
      point.k_lattice = k[i];
      point.force_balance = std::numeric_limits<double>::quiet_NaN();
      point.error_estimate = error[i];
      history_.push_back(point);
    }
    run_.body_force_ = saved_force_factor(saved) * run_.box_.body_force;
    if (saved.has("settled"))
      settled_ = {saved.object("settled").number("error", 0),
                  saved.object("settled").number("residual", 0)};
    checkpoints.restore(run_);
  }

  std::optional<RunEnd> begun() override {
    if (run_.steps() == 0 || run_.steps() % interval != 0) return std::nullopt;
    estimate_ = run_.solver_->estimate();
    if (settled_) {
      // The state has been put together since, and the recurrence begun anew: what was confirmed is
      // worth it again.
      estimate_.since_restart = estimate_.iterations;
      estimate_.error_estimate = settled_->error;
      estimate_.residual = settled_->residual;
    }
    return decide();
  }

  std::int64_t next_due() const override { return next_multiple(interval, run_.steps()); }

  std::optional<RunEnd> after_steps() override {
    StokesEstimate const estimate = run_.solver_->estimate();
    if (estimate.broken) return RunEnd::diverged;
    if (estimate.iterations % interval != 0) return std::nullopt;
    history_.push_back(run_.point_of(estimate));
    if (observe_) observe_(history_.back());
    estimate_ = estimate;
    return decide();
  }

  MonitorRow monitor_row() const override {
    MonitorRow row;
    if (history_.empty()) return row;
    PermeabilityPoint const& point = history_.back();
    row.measured_at_step = static_cast<double>(point.step);
    row.k_lattice = point.k_lattice;
    if (std::isfinite(point.error_estimate)) row.error_estimate = point.error_estimate;
    row.mass = 1;
    return row;
  }

  /// The equations are linear: a force scales the flow and leaves k alone.
  void take(FlowChanges const& changes) override {
    if (changes.tolerance) tolerance_ = *changes.tolerance;
    if (changes.body_force_factor)
      run_.body_force_ = *changes.body_force_factor * run_.box_.body_force;
  }

  std::optional<RunEnd> read_measurements() override { return std::nullopt; }

  Json save(CheckpointWriter& /*writer*/) const override {
    std::vector<double> steps, k, error;
    for (PermeabilityPoint const& point : history_) {
      steps.push_back(static_cast<double>(point.step));
      k.push_back(point.k_lattice);
      error.push_back(point.error_estimate);
    }
    Json saved{{"iterations", steps},
               {"k", k},
               {"error", error},
               {"body_force_factor", run_.body_force_ / run_.box_.body_force}};
    if (run_.confirmed_)
      saved["settled"] = {{"error", estimate_.error_estimate}, {"residual", estimate_.residual}};
    return saved;
  }

  /// After the checkpoint: putting the state together restarts the iteration.
  std::optional<RunEnd> take_last_measurements() override {
    if (run_.confirmed_) return std::nullopt;
    estimate_ = run_.solver_->estimate();
    if (estimate_.broken) return RunEnd::diverged;
    run_.confirm(estimate_, tolerance_);
    return std::nullopt;
  }

  PermeabilityOutcome outcome() {
    PermeabilityOutcome outcome;
    outcome.history = std::move(history_);
    std::size_t const points = outcome.history.size();
    if (points > 1) {
      outcome.change = std::abs(
          outcome.history[points - 2].k_lattice / outcome.history[points - 1].k_lattice - 1);
    }
    // The state's own functional is worth a little more than the recurrence's.
    if (run_.confirmed_) {
      estimate_.quadratic = run_.confirmation_.quadratic;
      outcome.rounding_error = run_.confirmation_.error;
    } else if (run_.confirmation_.quadratic > 0) {
      outcome.rounding_error = std::abs(estimate_.quadratic / run_.confirmation_.quadratic - 1);
    }
    outcome.last = run_.point_of(estimate_);
    outcome.last.force_balance = run_.confirmation_.force_balance;
    return outcome;
  }

 private:
  /// What a run that has settled knew of its last state.
  struct Settled {
    double error;
    double residual;
  };

  /// On the estimate.
  std::optional<RunEnd> decide() {
    bool const good = worth_confirming(estimate_, tolerance_) &&
                      (!run_.asked_.for_fields || estimate_.residual < tolerance_);
    if (!good || !run_.confirm(estimate_, tolerance_)) return std::nullopt;
    return RunEnd::settled;
  }

  StokesRun& run_;
  AxisFlow::Observe const& observe_;
  double tolerance_;
  std::vector<PermeabilityPoint> history_;
  std::optional<Settled> settled_;  ///< that it goes on from
  StokesEstimate estimate_;         ///< that was decided on last
};

PermeabilityOutcome StokesRun::run(AxisFlow::Observe const& observe, RunControl const& control) {
  Series series(*this, observe);
  uses_before_ = space_->uses();
  traffic_before_ = space_->share().traffic;
  RunOutcome const run = run_flow(*this, series, control,
                                  {.steps = std::min(asked_.max_steps, most_iterations),
                                   .per_sweep = 100,
                                   .between_meetings = interval});
  PermeabilityOutcome outcome = series.outcome();
  static_cast<RunOutcome&>(outcome) = run;
  uses_after_ = space_->uses();
  log_shares(run.steps - run.first_step);
  return outcome;
}

void StokesRun::gather(PermeabilityOutcome& outcome) {
  auto const start = std::chrono::steady_clock::now();
  run_piece_("sums",
             [this] { sums_ = solver_->sums(box_.sample_lower, box_.sample_upper, body_force_); });
  take_means(outcome.last);
  if (asked_.keeps_states || asked_.slip) {
    find_voxels();
    states_ = fields();
  }
  gather_seconds_ = seconds_since(start);
  if (!outcome.history.empty()) outcome.history.back() = outcome.last;
}

}  // namespace tessera

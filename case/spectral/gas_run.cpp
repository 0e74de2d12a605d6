// SPDX-License-Identifier: MIT
#include "case/spectral/gas_run.hpp"

#include <algorithm>
#include <utility>

#include "base/ranks/ranks.hpp"
#include "case/spectral/gas_entropy.hpp"
#include "io/json.hpp"
#include "run/next_multiple.hpp"
#include "run/pending_measurements.hpp"

namespace tessera {
namespace {

/// Measurements that nobody asks for say whether the flow is still one.
constexpr std::int64_t steps_between_gas_checks = 100;
/// Measurements are read so many steps after they were submitted.
constexpr std::int64_t steps_until_read = 4;

class GasRun : public RunAim {
 public:
  GasRun(GasCase const& c, GasSetup const& setup, GasStart const& start, GasFlow& flow,
         GasRecords& records)
      : case_(c), setup_(setup), start_(start), flow_(flow), records_(records), state_(setup.of) {}

  void begin() override { is_new_ = true; }

  void go_on_from(Checkpoints const& checkpoints) override {
    SavedValues const run = checkpoints.run();
    flow_.restore(start_.step, *checkpoints.earlier());
    first_entropy_ = run.number("first_entropy");
    records_.restore(*checkpoints.earlier(), run.object("records"), start_.step);
  }

  /// The first state is measured as all others are.
  std::optional<RunEnd> begun() override {
    submit_measurement();
    if (auto const end = read_measurements()) {
      if (is_new_) check_initial_state(case_, setup_);
      return end;
    }
    if (!is_new_) {
      if (!is_at_its_end(case_, start_)) return std::nullopt;
      last_step_ = start_.step;
      return RunEnd::all_steps;
    }
    flow_.take_state(state_);
    if (Ranks::is_root()) first_entropy_ = mean_entropy(state_);
    records_.add_state(0, 0, state_);
    return std::nullopt;
  }

  std::int64_t next_due() const override {
    std::int64_t const step = flow_.steps();
    return std::min({records_.next_measurement_after(step), records_.next_state_after(step),
                     next_multiple(steps_between_gas_checks, step)});
  }

  std::optional<RunEnd> after_steps() override {
    std::int64_t const step = flow_.steps();
    last_step_ = flow_.last_step();
    if (is_due(records_.next_measurement_after(step - 1)) || step % steps_between_gas_checks == 0)
      submit_measurement();
    if (auto const end = read_until(step - steps_until_read)) return end;
    return last_step_ ? std::optional(RunEnd::all_steps) : std::nullopt;
  }

  MonitorRow monitor_row() const override {
    MonitorRow row;
    if (first_mass_ == 0) return row;
    row.measured_at_step = static_cast<double>(measured_.step);
    row.mass = measured_.integrals.conserved[spectral::density] / first_mass_;
    return row;
  }
  void take(FlowChanges const& /*changes*/) override {}

  std::optional<RunEnd> after_look() override {
    std::int64_t const step = flow_.steps();
    if (!is_due(records_.next_state_after(step - 1)) || last_step_) return std::nullopt;
    double const time = flow_.next_clock().time;
    if (!flow_.take_state(state_)) return RunEnd::diverged;
    records_.add_state(step, time, state_);
    return std::nullopt;
  }

  std::optional<RunEnd> write_fields() override {
    if (!flow_.take_state(state_)) return RunEnd::diverged;
    records_.add_fields(flow_.steps(), state_);
    return std::nullopt;
  }

  std::optional<RunEnd> read_measurements() override { return read_until(never); }

  Json save(CheckpointWriter& writer) const override {
    spectral::Clock const clock = flow_.next_clock();
    Json run{{"records", records_.save(writer)},
             {"time", clock.time},
             {"next_step", clock.dt},
             {"first_entropy", first_entropy_}};
    if (last_step_) run["last_step"] = *last_step_;
    return run;
  }

  std::optional<RunEnd> take_last_state(bool /*kept*/) override {
    return flow_.take_state(state_) ? std::nullopt : std::optional(RunEnd::diverged);
  }

  std::optional<RunEnd> take_last_measurements() override {
    if (auto const end = read_measurements()) return end;
    submit_measurement();
    is_last_ = true;
    return read_measurements();
  }

  /// Once the run has ended.
  void finish(GasOutcome& outcome) {
    outcome.steps = last_step_.value_or(outcome.steps);
    outcome.first_step = std::min(outcome.first_step, outcome.steps);
    outcome.measured = measured_;
    if (outcome.end == RunEnd::diverged || !Ranks::is_root()) return;
    outcome.entropy_error = entropy_error(state_, first_entropy_);
    records_.add_last_state(outcome.steps, measured_.time, state_);
    outcome.state = std::move(state_);
  }
  double time() const { return measured_.time; }

 private:
  bool is_due(std::int64_t step) const { return step == flow_.steps(); }

  void submit_measurement() {
    flow_.submit_measurement();
    pending_.add(flow_.steps());
  }

  /// Reads the measurements of the steps up to `last`.
  std::optional<RunEnd> read_until(std::int64_t last) {
    return pending_.take_until(last, [this](std::int64_t step) { return take_measurement(step); });
  }

  /// Whether the gas still is in a state that it can be in.
  bool take_measurement(std::int64_t step) {
    spectral::GasMeasurement const measured = flow_.take_measurement(step);
    bool const is_possible = measured.broken_pack < 0 && measured.extremes.least_density > 0 &&
                             measured.extremes.least_pressure > 0;
    if (!is_possible) return false;
    measured_ = measured;
    if (first_mass_ == 0) first_mass_ = measured.integrals.conserved[spectral::density];
    bool const of_records = step % case_.output.records_every == 0;
    // Behind the end nothing happens.
    bool const stands_still = measured.dt == 0 && step > 0;
    if (is_last_) {
      records_.add_measurement(last_step_.value_or(step), measured);
    } else if (of_records && !stands_still) {
      records_.add_measurement(step, measured);
    }
    return true;
  }

  GasCase const& case_;
  GasSetup const& setup_;
  GasStart start_;
  GasFlow& flow_;
  GasRecords& records_;
  GasState state_;
  double first_mass_ = 0;  ///< since this run began
  double first_entropy_ = 0;
  bool is_new_ = false;   ///< not gone on with
  bool is_last_ = false;  ///< what is measured now
  PendingMeasurements pending_;
  spectral::GasMeasurement measured_;
  std::optional<std::int64_t> last_step_;  ///< by time, once it is known
};

}  // namespace

GasStart start_of(GasCase const& c, Checkpoints const& checkpoints) {
  if (checkpoints.earlier() == nullptr) return {};
  SavedValues const run = checkpoints.run();
  std::int64_t const saved_at = checkpoints.first_step();
  // Behind the end there may be steps of no length, which have changed nothing.
  std::int64_t const step = run.has("last_step") ? run.whole("last_step", 0, saved_at) : saved_at;
  double const time = run.number("time", 0);
  double const dt = run.number("next_step", 0);
  // The step of another rule, or of an end that is one no more, is none to go on with.
  bool const of_this_rule = !c.time.dt && !checkpoints.is_other_flow();
  return {.step = step, .clock = {time, of_this_rule ? dt : 0}};
}

GasOutcome run_gas(GasCase const& c, GasSetup const& setup, GasStart const& start, GasFlow& flow,
                   GasRecords& records, ObserveFlow const& observe, RunControl control) {
  GasRun run(c, setup, start, flow, records);
  std::optional<std::int64_t> const last = last_step_of(c, start);
  auto const tiles = static_cast<std::int64_t>(flow.tiles());
  control.stepped = [&](std::int64_t step) {
    observe({.step = step, .of = last, .tiles = tiles, .time = run.time()});
  };
  GasOutcome outcome;
  static_cast<RunOutcome&>(outcome) =
      run_flow(flow, run, control, {.steps = last.value_or(never), .per_sweep = 1});
  run.finish(outcome);
  return outcome;
}

}  // namespace tessera

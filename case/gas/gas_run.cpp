// SPDX-License-Identifier: MIT
#include "case/gas/gas_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "run/next_multiple.hpp"

namespace tessera {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// States that nobody asks for are looked at after so many steps: whether they still are one.
constexpr std::int64_t steps_between_checks = 500;

class GasRun : public RunAim {
 public:
  GasRun(GasCase const& c, GasSetup const& setup, GasFlow& flow, GasRecords& records)
      : case_(c), flow_(flow), records_(records), state_(setup.of) {}

  void begin() override { is_new_ = true; }

  void go_on_from(Checkpoints const& checkpoints) override {
    SavedValues const run = checkpoints.run();
    checkpoints.restore(flow_);
    SavedValues const clock = run.object("clock");
    flow_.restore_clock(clock.number("time"), clock.number_if_known("next_step"));
    records_.restore(*checkpoints.earlier(), run.object("records"));
  }

  std::optional<RunEnd> begun() override {
    if (is_new_) {
      flow_.take_state(state_);
      records_.add(0, 0, state_, false);
    }
    return flow_.at_end() ? std::optional(RunEnd::all_steps) : std::nullopt;
  }

  std::int64_t next_due() const override {
    return std::min(records_.next_after(flow_.steps()),
                    next_multiple(steps_between_checks, flow_.steps()));
  }

  std::optional<RunEnd> after_steps() override {
    return flow_.at_end() ? std::optional(RunEnd::all_steps) : std::nullopt;
  }

  MonitorRow monitor_row() const override { return {}; }
  void take(FlowChanges const& /*changes*/) override {}

  std::optional<RunEnd> after_look() override {
    std::int64_t const step = flow_.steps();
    bool const is_due = records_.next_after(step - 1) == step;
    if (!is_due && step % steps_between_checks != 0) return std::nullopt;
    if (!take_state()) return RunEnd::diverged;
    if (is_due) records_.add(step, flow_.time(), state_, false);
    return std::nullopt;
  }

  std::optional<RunEnd> read_measurements() override { return std::nullopt; }

  Json save(CheckpointWriter& writer) const override {
    return {{"records", records_.save(writer)}, {"clock", flow_.save_clock()}};
  }

  std::optional<RunEnd> take_last_state(bool /*kept*/) override {
    return take_state() ? std::nullopt : std::optional(RunEnd::diverged);
  }
  std::optional<RunEnd> take_last_measurements() override { return std::nullopt; }

  GasState take_result() {
    records_.add(flow_.steps(), flow_.time(), state_, true);
    return std::move(state_);
  }

 private:
  /// Whether it still is one that a gas can be in.
  bool take_state() {
    flow_.take_state(state_);
    return state_.is_possible();
  }

  GasCase const& case_;
  GasFlow& flow_;
  GasRecords& records_;
  GasState state_;
  bool is_new_ = false;  ///< not gone on with
};

}  // namespace

std::optional<std::int64_t> last_step_of(GasCase const& c) {
  std::optional<std::int64_t> last = c.stop.steps;
  if (c.time.dt && c.stop.time) {
    constexpr double rounding = 1e-9;
    double const steps = std::ceil(*c.stop.time / *c.time.dt * (1 - rounding));
    constexpr double most = 1e15;
    last = std::min(last.value_or(never), static_cast<std::int64_t>(std::min(steps, most)));
  }
  return last;
}

GasOutcome run_gas(GasCase const& c, GasSetup const& setup, GasFlow& flow, GasRecords& records,
                   std::function<void(GasProgress const&)> const& observe, RunControl control) {
  GasRun run(c, setup, flow, records);
  std::optional<std::int64_t> const last = last_step_of(c);
  control.stepped = [&](std::int64_t step) { observe({step, last, flow.time()}); };
  GasOutcome outcome;
  static_cast<RunOutcome&>(outcome) =
      run_flow(flow, run, control, {.steps = last.value_or(never), .per_sweep = 1});
  outcome.time = flow.time();
  if (outcome.end != RunEnd::diverged) outcome.state = run.take_result();
  return outcome;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "run/flow_loop.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/ranks/rank_watch.hpp"
#include "io/json.hpp"
#include "run/interrupt.hpp"

namespace tessera {
namespace {

/// The quotient, rounded up.
std::int64_t divided_up(std::int64_t total, std::int64_t by) { return (total + by - 1) / by; }

class FlowLoop {
 public:
  FlowLoop(RunningFlow& flow, RunAim& aim, RunControl const& control, StepLimits limits)
      : flow_(flow), aim_(aim), control_(control), limits_(limits) {}

  RunOutcome run() {
    begin();
    auto const start = std::chrono::steady_clock::now();
    while (!end_) advance();
    finish();
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    if (control_.watch != nullptr) {
      control_.watch->end();
      // The last look may have asked for the fields that it saw.
      if (end_ != RunEnd::diverged && control_.wants_fields()) diverge_if(aim_.write_fields());
    }
    return {.end = *end_,
            .first_step = first_step_,
            .steps = flow_.steps(),
            .seconds = seconds.count()};
  }

 private:
  /// Not part of the time; and mistakes of those who look leave nothing behind.
  void begin() {
    if (control_.goes_on()) {
      aim_.go_on_from(*control_.checkpoints);
    } else {
      aim_.begin();
    }
    first_step_ = flow_.steps();
    look(false);
    end_if(aim_.begun());
    do_what_is_wanted();
    if (flow_.steps() >= limits_.steps) end_if(RunEnd::all_steps);
    flow_.restart_counters();
  }

  void advance() {
    RankWatch::Stepping const stepping;
    aim_.before_steps();
    std::int64_t const before = flow_.steps();
    std::int64_t const until =
        control_.until_next(before, std::min(aim_.next_due(), limits_.steps));
    std::int64_t const left = std::max<std::int64_t>(until - before, 1);
    flow_.submit_steps(divided_up(left, divided_up(left, limits_.per_sweep)));
    RankWatch::note_step();
    std::int64_t const step = flow_.steps();
    if (control_.stepped) control_.stepped(step);
    end_if(aim_.after_steps());
    if (end_ != RunEnd::diverged) {
      if (step < limits_.steps) look(false);
      end_if(aim_.after_look());
    }
    do_what_is_wanted();
    if (end_) return;
    if (step >= limits_.steps) {
      end_ = RunEnd::all_steps;
      return;
    }
    RunControl::Wishes const wishes = control_.wishes_after(step, limits_.between_meetings);
    if (wishes.end) {
      Interrupt::announce_end(step);
      end_ = RunEnd::interrupted;
    } else if (wishes.checkpoint) {
      write_checkpoint();
    }
  }

  void finish() {
    if (end_ != RunEnd::diverged) diverge_if(aim_.take_last_state(control_.writes_the_end()));
    if (end_ != RunEnd::diverged && control_.writes_the_end()) write_checkpoint();
    diverge_if(aim_.take_last_measurements());
    if (end_ != RunEnd::diverged) look(true);
    flow_.wait();
  }

  void look(bool at_any_rate) {
    if (control_.watch == nullptr) return aim_.take({});
    RankWatch::Aside const aside;
    aim_.take(look_if_due(
        control_.watch, flow_, [this] { return aim_.monitor_row(); }, at_any_rate));
  }

  /// Scripts run on a thread of their own, and one may ask for the fields and the end at once. The
  /// loop reads the wish for the end first, so that it has not missed the fields that came with it.
  void do_what_is_wanted() {
    std::optional<RunEnd> const end = control_.wants_end();
    if (end_ != RunEnd::diverged && control_.wants_fields()) diverge_if(aim_.write_fields());
    end_if(end);
  }

  void write_checkpoint() {
    RankWatch::Aside const aside;
    diverge_if(aim_.read_measurements());
    if (end_ == RunEnd::diverged) return;
    control_.write_checkpoint(flow_,
                              [this](CheckpointWriter& writer) { return aim_.save(writer); });
  }

  /// The first one counts.
  void end_if(std::optional<RunEnd> end) {
    if (!end_) end_ = end;
  }
  /// But a flow without numbers has ended so, whatever it was to end by.
  void diverge_if(std::optional<RunEnd> end) {
    if (end) end_ = end;
  }

  RunningFlow& flow_;
  RunAim& aim_;
  RunControl const& control_;
  StepLimits limits_;
  std::int64_t first_step_ = 0;
  std::optional<RunEnd> end_;
};

}  // namespace

RunOutcome run_flow(RunningFlow& flow, RunAim& aim, RunControl const& control, StepLimits limits) {
  return FlowLoop(flow, aim, control, limits).run();
}

}  // namespace tessera

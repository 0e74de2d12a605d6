// SPDX-License-Identifier: MIT
// The steps of a flow until its permeability is good enough.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/convergence.hpp"
#include "app/flow_run.hpp"
#include "app/interrupt.hpp"
#include "graph/runtime.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

constexpr std::size_t most_points = 64;
/// Steps from one point to the next, at first: more where decisions fall late.
constexpr std::int64_t least_spacing = 20;
constexpr std::int64_t longest_first_spacing = 100;

StopReason reason_of(WatchEnd end) {
  return end == WatchEnd::failed ? StopReason::look_failed : StopReason::steered;
}

constexpr std::size_t numbers_of_point = 9;

std::vector<double> numbers_of(std::vector<FlowPoint> const& history) {
  std::vector<double> numbers;
  for (FlowPoint const& p : history) {
    numbers.insert(numbers.end(), {static_cast<double>(p.step), p.k_lattice, p.error_estimate,
                                   p.force_balance, p.mean_density_shift, p.sample_nodes,
                                   p.mean_velocity[0], p.mean_velocity[1], p.mean_velocity[2]});
  }
  return numbers;
}

std::vector<FlowPoint> history_of(std::vector<double> const& numbers, SavedValues const& run) {
  std::vector<FlowPoint> history;
  if (numbers.size() % numbers_of_point != 0) run.refuse("'history' ends in the middle of a row");
  for (std::size_t i = 0; i < numbers.size(); i += numbers_of_point) {
    double const* const n = &numbers[i];
    if (!(n[0] >= 0 && n[0] < static_cast<double>(SavedValues::most)))
      run.refuse("'history' has a row of no step");
    history.push_back(
        {static_cast<std::int64_t>(n[0]), n[1], n[2], n[3], n[4], n[5], {n[6], n[7], n[8]}});
  }
  return history;
}

}  // namespace

/// A point of the series is measured after two steps: single steps carry an oscillation of odd and
/// even (docs/method.md). The decision on it falls a fixed number of steps later, so that the run
/// does not depend on timing.
class FlowRun::Search {
 public:
  Search(FlowRun& flow, std::function<void(FlowPoint const&)> const& observe,
         RunControl const& control)
      : flow_(flow),
        graph_(*flow.graph_),
        observe_(observe),
        control_(control),
        lag_(flow.flow_case_.window),
        most_steps_(flow.flow_case_.max_steps),
        spacing_(std::max(least_spacing, lag_ + 4)),
        convergence_(flow.flow_case_.tolerance),
        new_force_(flow.body_force_) {}

  FlowOutcome run() {
    if (control_.goes_on()) {
      restore();
    } else {
      plan_point(std::min(spacing_, std::max<std::int64_t>(most_steps_ - 1, 1)));
    }
    look(false);  // the state at first: not part of the time
    Runtime::restart_counters();
    auto const start = std::chrono::steady_clock::now();
    end_if_asked();
    if (!end_ && !taken_ && convergence_.converged()) end_ = StopReason::converged;
    if (!end_ && graph_.steps() >= most_steps_) end_ = StopReason::max_steps;
    while (!end_) advance();
    result_.reason = *end_;
    finish();
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    result_.seconds = seconds.count();
    if (control_.watch != nullptr) control_.watch->end();
    return std::move(result_);
  }

 private:
  /// To be measured in the two steps.
  void plan_point(std::int64_t step) {
    next_ = step;
    taken_ = false;
    graph_.measure_at(next_);
    graph_.measure_at(next_ + 1);
  }

  void take_point() {
    if (std::exchange(taken_, true)) return;
    Sample const even = graph_.take_sample(next_);
    Sample const odd = graph_.take_sample(next_ + 1);
    FlowPoint point = flow_.point_of(even, odd);
    convergence_.add(point.k_lattice, point.force_balance);
    point.error_estimate = convergence_.error_estimate();
    result_.last = point;
    result_.broken_tile = std::max(even.broken_tile, odd.broken_tile);
    result_.history.push_back(point);
    if (observe_) observe_(point);
  }

  void look(bool at_any_rate) {
    auto const known = [&] {
      return result_.history.empty() ? MonitorRow{} : flow_.monitor_row(result_.last);
    };
    FlowChanges const changes = look_if_due(control_.watch, graph_, known, at_any_rate);
    if (changes.tolerance) convergence_.set_tolerance(*changes.tolerance);
    if (changes.body_force_factor)
      new_force_ = *changes.body_force_factor * flow_.preparation_.body_force;
  }

  void end_if_asked() {
    auto const end = control_.wants_end();
    if (end && !end_) end_ = reason_of(*end);
  }

  /// A sweep of steps, or what there is up to the next decision or the last step: these fall on the
  /// same steps whatever the sweeps.
  void advance() {
    std::int64_t const before = graph_.steps();
    std::int64_t const until = control_.until_next(before, std::min(next_ + 1 + lag_, most_steps_));
    graph_.submit_steps(
        std::clamp<std::int64_t>(until - before, 1, flow_.preparation_.steps_per_sweep));
    std::int64_t const step = graph_.steps();
    if (control_.stepped) control_.stepped(step);
    if (step >= next_ + 1 + lag_) decide();
    look(false);
    change_force();
    end_if_asked();
    if (end_) return;
    if (step >= most_steps_) {
      end_ = StopReason::max_steps;
    } else if (control_.must_stop()) {
      Interrupt::announce_end(step);
      end_ = StopReason::interrupted;
    } else if (control_.checkpoint_is_due(step)) {
      write_checkpoint();
    }
  }

  void decide() {
    take_point();
    std::int64_t following = next_ + spacing_;
    if (result_.broken_tile >= 0) {
      end_ = StopReason::diverged;
    } else if (convergence_.converged()) {
      end_ = StopReason::converged;
    } else if (convergence_.size() >= most_points) {
      convergence_.thin_out();
      following += spacing_;
      spacing_ *= 2;
    }
    plan_point(following);
  }

  /// As a script has asked; not between the two halves of a point.
  void change_force() {
    if (new_force_ == flow_.body_force_ || graph_.steps() == next_) return;
    if (graph_.steps() > next_) {
      take_point();
      plan_point(next_ + spacing_);
    }
    flow_.set_body_force(new_force_);
    convergence_.restart();
  }

  /// With the point that is on its way, if it has been measured.
  void write_checkpoint() {
    if (graph_.steps() > next_) take_point();
    if (result_.broken_tile >= 0) return;
    control_.write_checkpoint(graph_, [this](CheckpointWriter& writer) {
      std::vector<double> const history = numbers_of(result_.history);
      writer.add_array("history", std::span<double const>(history));
      return Json{{"next", next_},
                  {"taken", taken_},
                  {"spacing", spacing_},
                  {"convergence", convergence_.save()},
                  {"body_force_factor", flow_.body_force_ / flow_.preparation_.body_force}};
    });
  }

  void restore() {
    Checkpoints const& checkpoints = *control_.checkpoints;
    SavedValues const run = checkpoints.run();
    std::int64_t const step = checkpoints.first_step();
    // A point is decided on before the next is measured, and no later point was planned.
    next_ = run.whole("next");
    taken_ = run.flag("taken");
    spacing_ = run.whole("spacing", least_spacing, std::max(step, longest_first_spacing));
    if (taken_ ? next_ >= step || next_ + spacing_ <= step
               : next_ < step || next_ > step + spacing_)
      run.refuse(fmt::format("point {} of the series does not go with step {}", next_, step));
    // Of another window than the earlier run's.
    lag_ = std::min(lag_, spacing_ - 4);
    convergence_.restore(run.object("convergence"));
    result_.history = history_of(checkpoints.earlier()->doubles("history"), run);
    double const force = run.number("body_force_factor") * flow_.preparation_.body_force;
    checkpoints.restore(graph_);
    result_.first_step = step;
    if (checkpoints.is_other_flow()) return begin_series_anew();
    if (!result_.history.empty()) result_.last = result_.history.back();
    new_force_ = force;
    if (new_force_ != flow_.body_force_) flow_.set_body_force(new_force_);
    if (taken_) return;
    if (next_ == graph_.steps()) graph_.submit_measurement();
    if (next_ > graph_.steps()) graph_.measure_at(next_);
    graph_.measure_at(next_ + 1);
  }

  /// From the state of a flow with other parameters, at the distance in time that suited it.
  void begin_series_anew() {
    if (most_steps_ <= graph_.steps()) {
      throw BadInput(fmt::format(
          "--max-steps {}: expected more than the {} steps that the flow has taken with "
          "other parameters",
          most_steps_, graph_.steps()));
    }
    result_.history.clear();
    convergence_.restart();
    std::int64_t const step = graph_.steps();
    plan_point(std::clamp(most_steps_ - 1, step + 1, step + spacing_));
  }

  void finish() {
    // Before the further step below: the run may go on from here.
    if (result_.reason != StopReason::diverged && control_.writes_the_end()) write_checkpoint();
    if (graph_.steps() <= next_ && result_.history.empty()) {
      next_ = graph_.steps();
      graph_.submit_measurement();
      graph_.measure_at(next_ + 1);
      graph_.submit_step();
    }
    if (graph_.steps() > next_) take_point();
    if (result_.reason != StopReason::diverged) look(true);
    graph_.wait();
    result_.steps = graph_.steps();
    result_.change = convergence_.change();
  }

  FlowRun& flow_;
  FlowGraph& graph_;
  std::function<void(FlowPoint const&)> const& observe_;
  RunControl const& control_;
  std::int64_t lag_;
  std::int64_t most_steps_;
  std::int64_t spacing_;   ///< steps from one point to the next
  std::int64_t next_ = 0;  ///< the next point: of the state after this step and the one after
  bool taken_ = false;     ///< it has been, and is not decided on yet
  Convergence convergence_;
  FlowOutcome result_;
  double new_force_;  ///< from the next step on
  std::optional<StopReason> end_;
};

FlowOutcome FlowRun::run(std::function<void(FlowPoint const&)> const& observe,
                         RunControl const& control) {
  return Search(*this, observe, control).run();
}

}  // namespace tessera

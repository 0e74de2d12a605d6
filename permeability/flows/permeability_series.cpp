// SPDX-License-Identifier: MIT
// The series of permeabilities of a running flow, and the decision that it is good enough.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "io/json.hpp"
#include "permeability/flows/convergence.hpp"
#include "permeability/flows/permeability_run.hpp"
#include "permeability/flows/saved_force.hpp"
#include "run/graph_flow.hpp"

namespace tessera {
namespace {

constexpr std::size_t most_points = 64;
/// Least distance of two points, in steps; at first it is larger where decisions fall late.
constexpr std::int64_t least_spacing = 20;
constexpr std::int64_t longest_first_spacing = 100;

constexpr std::size_t numbers_of_point = 10;

std::vector<double> numbers_of(std::vector<PermeabilityPoint> const& history) {
  std::vector<double> numbers;
  for (PermeabilityPoint const& p : history) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(p.step), p.k_lattice, p.error_estimate, p.force_balance,
                    p.mean_density_shift, p.sample_nodes, p.mean_velocity[0], p.mean_velocity[1],
                    p.mean_velocity[2], p.k_linear});
  }
  return numbers;
}

std::vector<PermeabilityPoint> history_of(std::vector<double> const& numbers,
                                          SavedValues const& run, std::int64_t last_step) {
  std::vector<PermeabilityPoint> history;
  bool const linear_alone = !run.has("even");  // as earlier versions wrote it
  std::size_t const row = linear_alone ? numbers_of_point - 1 : numbers_of_point;
  if (numbers.size() % row != 0) run.refuse("'history' ends in the middle of a row");
  for (std::size_t i = 0; i < numbers.size(); i += row) {
    double const* const n = &numbers[i];
    double const before = history.empty() ? -1 : static_cast<double>(history.back().step);
    if (!(n[0] > before && n[0] <= static_cast<double>(last_step)))
      run.refuse(fmt::format("'history' has no rows of ascending steps up to {}", last_step));
    history.push_back({.step = static_cast<std::int64_t>(n[0]),
                       .k_lattice = n[1],
                       .k_linear = linear_alone ? n[1] : n[9],
                       .error_estimate = n[2],
                       .force_balance = n[3],
                       .mean_density_shift = n[4],
                       .sample_nodes = n[5],
                       .mean_velocity = {n[6], n[7], n[8]}});
  }
  return history;
}

}  // namespace

/// A point of the series is measured after two steps: single steps carry an oscillation of odd and
/// even (docs/method.md). The decision on it falls a fixed number of steps later, so that the run
/// does not depend on timing.
class PermeabilityRun::Series : public RunAim {
 public:
  Series(PermeabilityRun& flow, std::function<void(PermeabilityPoint const&)> const& observe)
      : flow_(flow),
        graph_(*flow.graph_),
        observe_(observe),
        lag_(flow.asked_.window),
        most_steps_(flow.asked_.max_steps),
        spacing_(std::max(least_spacing, lag_ + 4)),
        convergence_(flow.asked_.tolerance, flow.asked_.for_fields),
        new_force_(flow.body_force_) {}

  void begin() override {
    plan_point(std::min(spacing_, std::max<std::int64_t>(most_steps_ - 1, 1)));
  }

  void go_on_from(Checkpoints const& checkpoints) override {
    SavedValues const run = checkpoints.run();
    std::int64_t const step = checkpoints.first_step();
    // A point is decided on before the next is measured, and no later point was planned.
    next_ = run.whole("next");
    taken_ = run.flag("taken");
    spacing_ = run.whole("spacing", least_spacing, std::max(step, longest_first_spacing));
    if (taken_ ? next_ >= step || next_ + spacing_ <= step
               : next_ < step || next_ > step + spacing_)
      run.refuse(fmt::format("point {} of the series does not go with step {}", next_, step));
    // The earlier run may have had another window, whose lag does not fit its spacing.
    lag_ = std::min(lag_, spacing_ - 4);
    convergence_.restore(run.object("convergence"));
    // With more values each point would double the distance to the next one.
    if (convergence_.size() > most_points) run.refuse("'values': more than a series has");
    result_.history = history_of(checkpoints.earlier()->doubles("history"), run, step);
    // A series of linear values goes on with linear ones.
    flow_.has_functional_ = flow_.has_functional_ && run.has("even");
    double const force = saved_force_factor(run) * flow_.prepared_.body_force;
    GraphFlow flow(graph_);
    checkpoints.restore(flow);
    if (checkpoints.is_other_flow()) return begin_series_anew();
    if (!result_.history.empty()) result_.last = result_.history.back();
    new_force_ = force;
    if (new_force_ != flow_.body_force_) flow_.set_body_force(new_force_);
    if (taken_) return;
    if (next_ == step) even_terms_ = terms_in(run);
    flow_.measure_point_at(next_);
  }

  std::optional<RunEnd> begun() override {
    return !taken_ && convergence_.converged() ? std::optional(RunEnd::settled) : std::nullopt;
  }

  std::int64_t next_due() const override { return next_ + 1 + lag_; }

  std::optional<RunEnd> after_steps() override {
    if (graph_.steps() < next_ + 1 + lag_) return std::nullopt;
    take_point();
    std::int64_t following = next_ + spacing_;
    std::optional<RunEnd> end = diverged();
    if (!end && convergence_.converged()) end = RunEnd::settled;
    if (!end && convergence_.size() >= most_points) {
      convergence_.thin_out();
      following += spacing_;
      spacing_ *= 2;
    }
    plan_point(following);
    return end;
  }

  MonitorRow monitor_row() const override {
    return result_.history.empty() ? MonitorRow{} : flow_.monitor_row(result_.last);
  }

  void take(FlowChanges const& changes) override {
    if (changes.tolerance) convergence_.set_tolerance(*changes.tolerance);
    if (changes.body_force_factor)
      new_force_ = *changes.body_force_factor * flow_.prepared_.body_force;
  }

  /// Changes the force if a script has asked for that, but not between the two steps of a point.
  std::optional<RunEnd> after_look() override {
    if (new_force_ == flow_.body_force_ || graph_.steps() == next_) return std::nullopt;
    if (graph_.steps() > next_) {
      take_point();
      plan_point(next_ + spacing_);
    }
    flow_.set_body_force(new_force_);
    convergence_.restart();
    return std::nullopt;
  }

  /// Takes the point that is under way, if it has been measured.
  std::optional<RunEnd> read_measurements() override {
    if (graph_.steps() > next_) take_point();
    if (graph_.steps() == next_ && !taken_ && !even_) even_ = graph_.take_measurement(next_);
    return diverged();
  }

  Json save(CheckpointWriter& writer) const override {
    std::vector<double> const history = numbers_of(result_.history);
    writer.add_array("history", std::span<double const>(history));
    return Json{{"next", next_},
                {"taken", taken_},
                {"spacing", spacing_},
                {"convergence", convergence_.save()},
                {"even", terms_of_even()},
                {"body_force_factor", flow_.body_force_ / flow_.prepared_.body_force}};
  }

  /// Takes one point at least, for which another step may be needed.
  std::optional<RunEnd> take_last_measurements() override {
    if (graph_.steps() <= next_ && result_.history.empty()) {
      if (graph_.steps() < next_) flow_.measure_point_at(next_ = graph_.steps());
      graph_.submit_step();
    }
    return read_measurements();
  }

  PermeabilityOutcome outcome() {
    result_.change = convergence_.change();
    return std::move(result_);
  }

 private:
  /// Plans a point that is measured after this step and the next one.
  void plan_point(std::int64_t step) {
    next_ = step;
    taken_ = false;
    flow_.measure_point_at(next_);
  }

  void take_point() {
    if (std::exchange(taken_, true)) return;
    Measurement even = even_ ? *even_ : graph_.take_measurement(next_);
    if (!even.functional) even.functional = even_terms_;
    even_.reset();
    even_terms_.reset();
    Measurement const odd = graph_.take_measurement(next_ + 1);
    PermeabilityPoint point = flow_.point_of(even, odd);
    bool const quadratic = even.functional && odd.functional;
    convergence_.add(point.k_lattice, point.force_balance,
                     quadratic ? std::optional(point.k_linear) : std::nullopt);
    point.error_estimate = convergence_.error_estimate();
    result_.last = point;
    result_.broken_tile = std::max(even.broken_tile, odd.broken_tile);
    result_.history.push_back(point);
    if (observe_) observe_(point);
  }

  /// Terms of the first step of a point that cannot be measured again from a saved state.
  Json terms_of_even() const {
    if (!even_ || !even_->functional) return Json::array();
    FunctionalTerms const& terms = *even_->functional;
    return {terms.driven, terms.own, terms.ahead};
  }

  static std::optional<FunctionalTerms> terms_in(SavedValues const& run) {
    if (!run.has("even")) return std::nullopt;
    std::vector<double> const terms = run.numbers("even");
    if (terms.size() != 3) return std::nullopt;
    return FunctionalTerms{terms[0], terms[1], terms[2]};
  }

  std::optional<RunEnd> diverged() const {
    return result_.broken_tile >= 0 ? std::optional(RunEnd::diverged) : std::nullopt;
  }

  /// Begins a new series from the state of a flow with other parameters, with that flow's spacing.
  void begin_series_anew() {
    if (most_steps_ <= graph_.steps()) {
      throw BadInput(fmt::format(
          "{} {}: expected more than the {} steps that the flow has taken with other parameters",
          setting_name("max-steps"), most_steps_, graph_.steps()));
    }
    result_.history.clear();
    convergence_.restart();
    std::int64_t const step = graph_.steps();
    plan_point(std::clamp(most_steps_ - 1, step + 1, step + spacing_));
  }

  PermeabilityRun& flow_;
  FlowGraph& graph_;
  std::function<void(PermeabilityPoint const&)> const& observe_;
  std::int64_t lag_;
  std::int64_t most_steps_;
  std::int64_t spacing_;   ///< steps from one point to the next
  std::int64_t next_ = 0;  ///< the next point is measured after this step and the one after it
  bool taken_ = false;     ///< the point has been taken, and is not decided on yet
  /// First measurement of a point whose second step is still to come when a checkpoint is written.
  std::optional<Measurement> even_;
  std::optional<FunctionalTerms> even_terms_;  ///< its terms, as saved by the earlier run
  Convergence convergence_;
  PermeabilityOutcome result_;
  double new_force_;  ///< from the next step on
};

PermeabilityOutcome PermeabilityRun::run(
    std::function<void(PermeabilityPoint const&)> const& observe, RunControl const& control) {
  Series series(*this, observe);
  GraphFlow flow(*graph_);
  RunOutcome const run = run_flow(
      flow, series, control, {.steps = asked_.max_steps, .per_sweep = prepared_.steps_per_sweep});
  PermeabilityOutcome outcome = series.outcome();
  static_cast<RunOutcome&>(outcome) = run;
  double const superficial = outcome.last.mean_velocity[index_of(prepared_.axis)];
  outcome.rounding_error = rounding_error(
      asked_.precision, prepared_.mean_pore_speed(superficial, outcome.last.sample_nodes),
      body_force_, static_cast<double>(prepared_.geometry.shape[prepared_.axis]));
  return outcome;
}

}  // namespace tessera

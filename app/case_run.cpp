// SPDX-License-Identifier: MIT
#include "app/case_run.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "app/face_flow.hpp"
#include "app/flow_cut.hpp"
#include "app/flow_limits.hpp"
#include "app/interrupt.hpp"
#include "app/next_multiple.hpp"
#include "flow/flow_graph.hpp"
#include "graph/runtime.hpp"

namespace tessera {
namespace {

/// Samples that nobody asks for say whether the flow is still one.
constexpr std::int64_t steps_between_checks = 500;

/// A state that is like the one an interval of looks before is compared once more, so many steps
/// later: a flow that repeats itself in the one has moved on in the other, which is near the golden
/// section of it. Even: lattices may carry an oscillation of odd and even steps for ever.
std::int64_t second_look(std::int64_t every) {
  std::int64_t steps = 2 * std::llround(0.191 * static_cast<double>(every));
  while (std::gcd(steps, every) > 2 && steps > 0) steps -= 2;
  return steps;
}

/// Whole states are looked at for their largest speed after 500, 1000, 2000, 4000 ... steps.
std::int64_t next_speed_check(std::int64_t step) {
  std::int64_t next = steps_between_checks;
  while (next <= step) next *= 2;
  return next;
}

BlockGrid grid_of(CaseSetup const& setup) {
  BlockGrid grid(setup.box.geometry, setup.model.lattice);
  grid.need_all_beside(setup.box.boundaries->faces_that_mirror());
  return grid;
}

class CaseRun {
 public:
  CaseRun(Case const& c, CaseSetup const& setup, FlowCase const& flow_case, Workers const& workers,
          CaseRecords& records, RunControl const& control)
      : case_(c),
        setup_(setup),
        flow_case_(flow_case),
        records_(records),
        control_(control),
        state_(setup.box.geometry),
        limits_(setup.model.lattice, setup.model.equilibrium),
        limit_(c.stop.steps.value_or(std::numeric_limits<std::int64_t>::max())),
        steady_tolerance_(c.stop.steady ? c.stop.steady->tolerance : 0) {
    make_graph(workers);
  }

  CaseOutcome run(std::function<void(CaseProgress const&)> const& observe) {
    if (case_.stop.steady) earlier_.emplace(setup_.box.geometry);
    if (control_.goes_on()) {
      restore();
    } else if (setup_.initial) {
      graph_->set_state(setup_.initial);
    }
    graph_->wait();
    look();  // not part of the time; and a script's mistakes leave nothing behind
    if (!control_.goes_on() && records_.wants_begin()) {
      state_.take_from(*graph_);
      records_.add_state(0, state_, false);
    }
    Runtime::restart_counters();
    begin_ = std::chrono::steady_clock::now();
    std::optional<CaseEnd> end = end_of_watch();
    if (!end && graph_->steps() >= limit_) end = CaseEnd::all_steps;
    while (!end) {
      end = advance();
      if (!end) end = end_of_watch();
      if (end) break;
      if (graph_->steps() >= limit_) {
        end = CaseEnd::all_steps;
      } else if (control_.must_stop()) {
        Interrupt::announce_end(graph_->steps());
        end = CaseEnd::interrupted;
      } else if (control_.checkpoint_is_due(graph_->steps())) {
        end = write_checkpoint();
      }
      if (observe) observe(progress());
    }
    return finish(*end);
  }

 private:
  void make_graph(Workers const& workers) {
    BlockGrid const grid = grid_of(setup_);
    BlockGraph const graph = graph_for(grid, workers);
    FirstCut const first =
        first_cut(grid, graph, setup_.box.geometry.periodic, workers, flow_case_);
    tiles_ = flow_tiles(grid, first, workers);
    auto const make_grid = [this] { return grid_of(setup_); };
    FlowOptions options = flow_options(tiles_, workers, flow_case_,
                                       cut_anew_of(tiles_, make_grid, workers, flow_case_));
    options.parameters = setup_.parameters;
    options.boundaries = setup_.box.boundaries;
    if (setup_.values_at) {
      options.values_at = [this](std::int64_t step) {
        StepValues values = setup_.values_at(step);
        for (double& f : values.force) f *= force_factor_;
        return values;
      };
    }
    graph_ = std::make_unique<FlowGraph>(tiles_.tiling, options);
  }

  void look(bool at_any_rate = false) {
    auto const known = [this] { return monitor_row(); };
    FlowChanges const changes = look_if_due(control_.watch, *graph_, known, at_any_rate);
    if (changes.tolerance) steady_tolerance_ = *changes.tolerance;
    if (changes.body_force_factor) new_force_factor_ = *changes.body_force_factor;
  }

  MonitorRow monitor_row() const {
    MonitorRow row;
    if (last_sample_) {
      row.measured_at_step = static_cast<double>(last_sample_->step);
      row.mass = 1 + last_sample_->total.density_shift / last_sample_->total.nodes;
    }
    row.reynolds = case_.fluid.reynolds.value_or(MonitorRow::unknown);
    row.change = change_.value_or(MonitorRow::unknown);
    return row;
  }

  std::optional<CaseEnd> end_of_watch() const {
    auto const end = control_.wants_end();
    if (!end) return std::nullopt;
    return *end == WatchEnd::failed ? CaseEnd::look_failed : CaseEnd::steered;
  }

  /// As a script has asked, for the steps to come: what is written of the last one still has the
  /// force that led to it.
  void change_force() {
    if (new_force_factor_ == force_factor_) return;
    force_factor_ = new_force_factor_;
    if (setup_.values_at) return;  // asked for each step
    double force[3];
    for (std::size_t a = 0; a < 3; ++a) force[a] = force_factor_ * setup_.parameters.force[a];
    graph_->set_body_force(force);
  }

  std::int64_t next_sample() const {
    std::int64_t const step = graph_->steps();
    std::int64_t const check = next_multiple(steps_between_checks, step);
    return std::min(records_.next_force_after(step), check);
  }

  std::int64_t next_steady_check() const {
    if (!case_.stop.steady) return std::numeric_limits<std::int64_t>::max();
    std::int64_t const every = case_.stop.steady->every;
    std::int64_t const step = graph_->steps();
    std::int64_t const next = next_multiple(every, step);
    std::int64_t const second = next - every + second_look(every);
    bool const seems_steady = change_ && *change_ < steady_tolerance_;
    return seems_steady && second > step ? second : next;
  }

  /// Steps up to the next one at which something is due, but no more than a sweep.
  std::optional<CaseEnd> advance() {
    change_force();
    std::int64_t const before = graph_->steps();
    std::int64_t const sample = next_sample();
    std::int64_t const record = records_.next_state_after(before);
    std::int64_t const check = next_steady_check();
    std::int64_t const speeds = next_speed_check(before);
    std::int64_t const until =
        control_.until_next(before, std::min({sample, record, check, speeds, limit_}));
    graph_->submit_steps(std::clamp<std::int64_t>(until - before, 1, tiles_.steps_per_sweep));
    std::int64_t const step = graph_->steps();
    if (step == sample) submit_sample();
    // Some steps later: which step ends the run does not depend on timing.
    while (!pending_.empty() && pending_.front() + flow_case_.window <= step) {
      if (!take_sample()) return CaseEnd::diverged;
    }
    if (step < limit_) look();
    // The last step's state is taken in the end.
    bool const records = step == record && step < limit_;
    if ((records || step == check || step == speeds || looks_fast_) && !take_state())
      return CaseEnd::diverged;
    if (step == check && is_steady()) return CaseEnd::steady;
    if (records) records_.add_state(step, state_, false);
    if (control_.watch != nullptr && control_.watch->wants_fields()) write_fields();
    return std::nullopt;
  }

  void submit_sample() {
    graph_->submit_measurement();
    pending_.push_back(graph_->steps());
  }

  /// Whether it still is one that can be.
  bool take_state() {
    state_.take_from(*graph_);
    looks_fast_ = false;
    if (auto const absurd = limits_.look(state_)) absurd_ = *absurd;
    if (auto const warning = limits_.warning(); warning && !warned_) {
      spdlog::warn("{}, after step {}", *warning, graph_->steps());
      warned_ = true;
    }
    return absurd_.empty();
  }

  /// Whether the flow still has numbers, and such as can be.
  bool take_sample() {
    Sample const sample = graph_->take_sample(pending_.front());
    pending_.pop_front();
    if (sample.broken_tile >= 0) return false;
    if (auto const absurd = limits_.look(sample)) absurd_ = *absurd;
    if (!absurd_.empty()) return false;
    looks_fast_ = looks_fast_ || (!warned_ && limits_.is_fast(sample));
    records_.add_forces(sample, sample.step == last_step_);
    last_sample_ = sample;
    return true;
  }

  /// Now that a script asks for them.
  void write_fields() {
    state_.take_from(*graph_);
    records_.write_fields_now(graph_->steps(), state_);
  }

  /// With all samples that are on their way, so that nothing is missing and nothing comes twice.
  std::optional<CaseEnd> write_checkpoint() {
    while (!pending_.empty()) {
      if (!take_sample()) return CaseEnd::diverged;
    }
    control_.write_checkpoint(*graph_, [this](CheckpointWriter& writer) {
      Json run{{"records", records_.save(writer)},
               {"change", or_null(change_)},
               {"largest_speed", limits_.largest_speed()},
               {"force_factor", new_force_factor_}};
      if (earlier_) {
        writer.add_array("earlier", std::span<float const>(earlier_->values()));
        run["steady_every"] = case_.stop.steady->every;
      }
      return run;
    });
    return std::nullopt;
  }

  void restore() {
    Checkpoints const& checkpoints = *control_.checkpoints;
    SavedValues const run = checkpoints.run();
    auto const change = run.number_if_known("change");
    double const force_factor = run.number("force_factor");
    double const largest_speed = run.number("largest_speed");
    checkpoints.restore(*graph_);
    first_step_ = graph_->steps();
    if (checkpoints.is_other_flow()) {
      records_.keep_apart(*checkpoints.earlier(), run.object("records"), first_step_);
      return;
    }
    records_.restore(*checkpoints.earlier(), run.object("records"));
    change_ = change;
    limits_.restore(largest_speed);
    new_force_factor_ = force_factor;
    if (!earlier_ || !run.has("steady_every")) return;
    // States that are not as far apart as they should be look alike too soon.
    if (run.whole("steady_every", 1) != case_.stop.steady->every) {
      change_.reset();
      return;
    }
    auto const earlier = checkpoints.earlier()->floats("earlier");
    if (earlier.size() != earlier_->values().size()) run.refuse("'earlier' is of another size");
    std::ranges::copy(earlier, earlier_->values().begin());
  }

  /// At the first look of an interval, and at the second if the first found nothing moving.
  bool is_steady() {
    double const before = change_.value_or(0);
    change_ = state_.relative_change(*earlier_);
    bool const first = graph_->steps() % case_.stop.steady->every == 0;
    if (first) *earlier_ = state_;
    bool const steady = *change_ < steady_tolerance_;
    if (first) return steady && second_look(case_.stop.steady->every) == 0;
    if (steady) change_ = std::max(*change_, before);
    return steady;
  }

  CaseOutcome finish(CaseEnd end) {
    if (end != CaseEnd::diverged && !take_state()) end = CaseEnd::diverged;
    // Before what only the last step writes down: the run may go on from here.
    if (end != CaseEnd::diverged && control_.writes_the_end()) {
      add_due_state();
      if (write_checkpoint()) end = CaseEnd::diverged;
    }
    if (pending_.empty() || pending_.back() != graph_->steps()) submit_sample();
    last_step_ = graph_->steps();
    while (!pending_.empty()) {
      if (!take_sample()) end = CaseEnd::diverged;
    }
    if (end != CaseEnd::diverged) look(true);
    graph_->wait();
    CaseOutcome outcome{
        .end = end, .last = progress(), .first_step = first_step_, .seconds = seconds()};
    if (end != CaseEnd::diverged) {
      records_.set_last_figures(figures_of(case_, state_, rates()));
      records_.add_state(graph_->steps(), state_, true);
      outcome.state = std::move(state_);
    }
    if (control_.watch != nullptr) control_.watch->end();
    outcome.mach = limits_.mach();
    outcome.absurd = absurd_;
    outcome.nodes = tiles_.tiling.nodes;
    outcome.tiles = static_cast<std::int64_t>(graph_->tiling().tiles.size());
    return outcome;
  }

  /// The state after the limit of steps, if it would have been due in a longer run.
  void add_due_state() {
    std::int64_t const step = graph_->steps();
    if (step != limit_ || step == first_step_ || records_.next_state_after(step - 1) != step)
      return;
    records_.add_state(step, state_, false);
  }

  std::vector<double> rates() {
    return mass_rates(*graph_, setup_.box.geometry, *setup_.box.boundaries, flow_case_.precision,
                      open_faces(case_));
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  CaseProgress progress() const {
    auto const updates = static_cast<double>(graph_->steps() - first_step_) *
                         static_cast<double>(tiles_.tiling.nodes);
    return {graph_->steps(), change_, updates / seconds() * 1e-6};
  }

  Case const& case_;
  CaseSetup const& setup_;
  FlowCase flow_case_;
  CaseRecords& records_;
  RunControl const& control_;
  FlowState state_;
  FlowLimits limits_;
  std::optional<FlowState> earlier_;  ///< that the next state is compared with
  std::int64_t limit_;
  double steady_tolerance_;
  double force_factor_ = 1;      ///< of the force that the case says
  double new_force_factor_ = 1;  ///< from the next step on
  FlowTiles tiles_;
  std::unique_ptr<FlowGraph> graph_;
  std::int64_t first_step_ = 0;
  std::deque<std::int64_t> pending_;  ///< steps of samples that have not been read
  std::optional<Sample> last_sample_;
  std::int64_t last_step_ = -1;  ///< once it is known
  std::optional<double> change_;
  bool looks_fast_ = false;  ///< a sample was; a state has not been looked at since
  bool warned_ = false;      ///< of the speed
  std::string absurd_;       ///< what no flow can be, once it is
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace

char const* describe(CaseEnd end) {
  switch (end) {
    case CaseEnd::all_steps:
      return "all steps done";
    case CaseEnd::steady:
      return "steady";
    case CaseEnd::interrupted:
      return "interrupted";
    case CaseEnd::diverged:
      return "diverged";
    case CaseEnd::steered:
      return "stopped by a script";
    case CaseEnd::look_failed:
      return "a script failed";
  }
  return "";
}

CaseOutcome run_case(Case const& c, CaseSetup const& setup, FlowCase const& flow_case,
                     Workers const& workers, CaseRecords& records,
                     std::function<void(CaseProgress const&)> const& observe,
                     RunControl const& control) {
  return CaseRun(c, setup, flow_case, workers, records, control).run(observe);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "case/lattice/case_run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "case/lattice/face_flow.hpp"
#include "case/lattice/mass_keeping.hpp"
#include "case/lattice/steady_rule.hpp"
#include "io/json.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "run/checkpoint/spread_arrays.hpp"
#include "run/console/log.hpp"
#include "run/flow_limits.hpp"
#include "run/graph_flow.hpp"
#include "run/next_multiple.hpp"
#include "run/pending_measurements.hpp"
#include "run/spread/blocks.hpp"

namespace tessera {
namespace {

/// Measurements that nobody asks for say whether the flow is still one.
constexpr std::int64_t steps_between_checks = 500;

/// Whole states are looked at for their largest speed after 500, 1000, 2000, 4000 ... steps.
std::int64_t next_speed_check_after(std::int64_t step) {
  std::int64_t next = steps_between_checks;
  while (next <= step) next *= 2;
  return next;
}

/// All ranks.
BlockGrid grid_of(CaseSetup const& setup) {
  BlockGrid grid = block_grid(setup.box.geometry, setup.model.lattice);
  grid.need_all_beside(setup.box.boundaries->faces_that_mirror());
  return grid;
}

/// Steps at which something is due next.
struct Due {
  std::int64_t measurement = 0;
  std::int64_t record = 0;       ///< of the state
  std::int64_t comparison = 0;   ///< of the state with an earlier one
  std::int64_t speed_check = 0;  ///< of the whole state
};

class CaseRun : public RunAim {
 public:
  CaseRun(Case const& c, CaseSetup const& setup, TilesAsked const& asked, Workers const& workers,
          CaseRecords& records)
      : case_(c),
        setup_(setup),
        asked_(asked),
        records_(records),
        state_(setup.box.geometry),
        limits_(setup.model.lattice, setup.model.equilibrium),
        limit_(c.stop.steps.value_or(never)) {
    if (c.stop.steady) steady_.emplace(c, setup.box.geometry);
    make_graph(workers);
  }

  CaseOutcome run(RunControl const& control, Performance& performance) {
    CaseOutcome outcome;
    GraphFlow flow(*graph_, [this] { return spread_arrays(); });
    static_cast<RunOutcome&>(outcome) =
        run_flow(flow, *this, control, {.steps = limit_, .per_sweep = tiles_.steps_per_sweep});
    performance.add(*graph_, tiles_, asked_, outcome);
    if (outcome.end != RunEnd::diverged) {
      records_.set_last_figures(last_figures());
      records_.add_last_state(graph_->steps(), state_);
      outcome.state = std::move(state_);
    }
    outcome.change = change();
    outcome.mach = limits_.mach();
    outcome.absurd = absurd_;
    return outcome;
  }

  std::int64_t nodes() const { return tiles_.tiling.nodes; }
  auto tiles() const { return static_cast<std::int64_t>(tiles_.tiling.tiles.size()); }
  std::optional<double> change() const { return steady_ ? steady_->change() : std::nullopt; }

  void begin() override {
    if (setup_.initial_in_space) graph_->set_state(setup_.initial_in_space);
    graph_->wait();
    is_new_ = true;
    begin_keeping_mass();
  }

  void go_on_from(Checkpoints const& checkpoints) override {
    SavedValues const run = checkpoints.run();
    double const force_factor = run.number("force_factor");
    double const largest_speed = run.number("largest_speed", 0);
    GraphFlow flow(*graph_);
    checkpoints.restore(flow);
    first_step_ = graph_->steps();
    begin_keeping_mass();
    if (checkpoints.is_other_flow()) {
      records_.keep_apart(*checkpoints.earlier(), run.object("records"), first_step_);
      return;
    }
    records_.restore(*checkpoints.earlier(), run.object("records"), first_step_);
    limits_.restore(largest_speed);
    new_force_factor_ = force_factor;
    if (steady_) steady_->restore(*checkpoints.earlier(), run);
    if (!mass_ || !run.has("mass")) return;
    mass_->restore(run.object("mass"));
    graph_->set_wall_supply(mass_->supply());
  }

  std::optional<RunEnd> begun() override {
    if (is_new_ && records_.wants_begin()) {
      state_.take_from(*graph_);
      records_.add_state(0, state_);
    }
    return steady_ && steady_->was_steady() ? std::optional(RunEnd::settled) : std::nullopt;
  }

  /// Finds out what is due next; and the force becomes what a script has asked for: what is written
  /// of the last step still has the force that led to it.
  void before_steps() override {
    std::int64_t const step = graph_->steps();
    due_ = {.measurement = std::min(records_.next_force_after(step),
                                    next_multiple(steps_between_checks, step)),
            .record = records_.next_state_after(step),
            .comparison = steady_ ? steady_->next_after(step) : never,
            .speed_check = next_speed_check_after(step)};
    if (new_force_factor_ == force_factor_) return;
    force_factor_ = new_force_factor_;
    if (setup_.values_at) return;  // asked for each step
    double force[3];
    for (std::size_t a = 0; a < 3; ++a) force[a] = force_factor_ * setup_.parameters.force[a];
    graph_->set_body_force(force);
  }

  std::int64_t next_due() const override {
    return std::min({due_.measurement, due_.record, due_.comparison, due_.speed_check});
  }

  std::optional<RunEnd> after_steps() override {
    std::int64_t const step = graph_->steps();
    if (step == due_.measurement) submit_measurement();
    bool const keeps_mass = mass_ && mass_->can_supply() && step % steps_between_checks == 0;
    if (keeps_mass) return keep_mass();
    return read_until(step - asked_.window);
  }

  MonitorRow monitor_row() const override {
    MonitorRow row;
    if (last_measurement_) {
      row.measured_at_step = static_cast<double>(last_measurement_->step);
      row.mass = 1 + last_measurement_->total.density_shift / last_measurement_->total.nodes;
    }
    row.reynolds = case_.fluid.reynolds.value_or(MonitorRow::unknown);
    row.change = change().value_or(MonitorRow::unknown);
    return row;
  }

  void take(FlowChanges const& changes) override {
    if (changes.tolerance && steady_) steady_->set_tolerance(*changes.tolerance);
    if (changes.body_force_factor) new_force_factor_ = *changes.body_force_factor;
  }

  std::optional<RunEnd> after_look() override {
    std::int64_t const step = graph_->steps();
    bool const compares = step == due_.comparison;
    // The last step's state is taken in the end.
    bool const records = step == due_.record && step < limit_;
    bool const looks_at_speed = looks_fast_ || step == due_.speed_check;
    if ((records || compares || looks_at_speed) && !take_state()) return RunEnd::diverged;
    if (compares && steady_->is_steady(state_, step, limits_.largest_speed()))
      return RunEnd::settled;
    if (records) records_.add_state(step, state_);
    return std::nullopt;
  }

  std::optional<RunEnd> write_fields() override {
    state_.take_from(*graph_);
    records_.write_fields_now(graph_->steps(), state_);
    return std::nullopt;
  }

  std::optional<RunEnd> read_measurements() override { return read_until(never); }

  Json save(CheckpointWriter& writer) const override {
    Json run{{"records", records_.save(writer)},
             {"change", or_null(change())},
             {"largest_speed", limits_.largest_speed()},
             {"force_factor", new_force_factor_}};
    if (steady_) steady_->save(run);
    if (mass_) mass_->save(run);
    return run;
  }

  /// What is saved beside, of all ranks.
  std::vector<SpreadArray> spread_arrays() const {
    std::vector<SpreadArray> arrays = records_.spread_arrays();
    if (steady_) arrays.push_back(steady_->state());
    return arrays;
  }

  std::optional<RunEnd> take_last_state(bool kept) override {
    if (!take_state()) return RunEnd::diverged;
    if (kept) add_due_state();
    return std::nullopt;
  }

  std::optional<RunEnd> take_last_measurements() override {
    if (!pending_.has_newest(graph_->steps())) submit_measurement();
    last_step_ = graph_->steps();
    return read_measurements();
  }

 private:
  void make_graph(Workers const& workers) {
    tiles_ = plan_tiles(grid_of(setup_), setup_.box.geometry.periodic, workers, asked_);
    FlowOptions options = flow_options(tiles_, workers, asked_, [this] { return grid_of(setup_); });
    options.parameters = setup_.parameters;
    options.initial = setup_.initial;
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

  void submit_measurement() {
    graph_->submit_measurement();
    pending_.add(graph_->steps());
  }

  /// Reads the measurements of the steps up to `last`.
  std::optional<RunEnd> read_until(std::int64_t last) {
    return pending_.take_until(last, [this](std::int64_t step) { return take_measurement(step); });
  }

  /// The mass of a closed flow is kept from this state on; that of others is left alone.
  void begin_keeping_mass() {
    if (!is_closed(case_)) return;
    graph_->submit_measurement();
    mass_.emplace(graph_->take_measurement(graph_->steps()), graph_->wall_totals(),
                  asked_.precision);
  }

  std::optional<RunEnd> keep_mass() {
    if (auto const end = read_measurements()) return end;
    double const before = mass_->supply();
    double const supply = mass_->supply_after(*last_measurement_, steps_between_checks);
    if (supply != before) graph_->set_wall_supply(supply);
    return std::nullopt;
  }

  /// Whether it still is one that can be.
  bool take_state() {
    state_.take_from(*graph_);
    looks_fast_ = false;
    if (auto const absurd = limits_.look(state_)) absurd_ = *absurd;
    if (auto const warning = limits_.warning(); warning && !warned_) {
      log_warning("{}, after step {}", *warning, graph_->steps());
      warned_ = true;
    }
    return absurd_.empty();
  }

  /// Whether the flow still has numbers, and such as can be.
  bool take_measurement(std::int64_t step) {
    Measurement const measurement = graph_->take_measurement(step);
    if (measurement.broken_tile >= 0) return false;
    if (auto const absurd = limits_.look(measurement)) absurd_ = *absurd;
    if (!absurd_.empty()) return false;
    looks_fast_ = looks_fast_ || (!warned_ && limits_.is_fast(measurement));
    records_.add_forces(measurement, measurement.step == last_step_);
    last_measurement_ = measurement;
    return true;
  }

  /// The state after the limit of steps, if it would have been due in a longer run.
  void add_due_state() {
    std::int64_t const step = graph_->steps();
    if (step != limit_ || step == first_step_ || records_.next_state_after(step - 1) != step)
      return;
    records_.add_state(step, state_);
  }

  FlowFigures last_figures() {
    FlowFigures figures = figures_of(case_, state_, rates());
    if (!mass_) return figures;
    figures.mass_given_back = mass_->given(graph_->steps());
    if (auto const warning = mass_->warning(figures.mass)) log_warning("{}", *warning);
    return figures;
  }

  std::vector<double> rates() {
    std::vector<Case::Face> const faces = open_faces(case_);
    if (faces.empty()) return {};
    StepValues const values = setup_.values_at ? setup_.values_at(graph_->steps()) : StepValues{};
    return mass_rates(*graph_, grid_of(setup_), *setup_.box.boundaries, values.factor, faces);
  }

  Case const& case_;
  CaseSetup const& setup_;
  TilesAsked asked_;
  CaseRecords& records_;
  FlowState state_;
  FlowLimits limits_;
  std::optional<SteadyRule> steady_;
  std::optional<MassKeeping> mass_;  ///< of a closed flow
  std::int64_t limit_;
  double force_factor_ = 1;      ///< of the force that the case says
  double new_force_factor_ = 1;  ///< from the next step on
  FlowTiles tiles_;
  std::unique_ptr<FlowGraph> graph_;
  bool is_new_ = false;  ///< not gone on with
  std::int64_t first_step_ = 0;
  Due due_;
  PendingMeasurements pending_;
  std::optional<Measurement> last_measurement_;
  std::int64_t last_step_ = -1;  ///< once it is known
  bool looks_fast_ = false;      ///< a measurement was; a state has not been looked at since
  bool warned_ = false;          ///< of the speed
  std::string absurd_;           ///< what no flow can be, once it is
};

}  // namespace

CaseOutcome run_case(Case const& c, CaseSetup const& setup, TilesAsked const& asked,
                     Workers const& workers, CaseRecords& records, Performance& performance,
                     ObserveFlow const& observe, RunControl control) {
  auto const start = std::chrono::steady_clock::now();
  CaseRun run(c, setup, asked, workers, records);
  std::chrono::duration<double> const prepared = std::chrono::steady_clock::now() - start;
  if (observe) {
    control.stepped = [&](std::int64_t step) {
      observe({.step = step,
               .of = c.stop.steps,
               .nodes = run.nodes(),
               .tiles = run.tiles(),
               .change = run.change()});
    };
  }
  performance.add_preparation(prepared.count());
  return run.run(control, performance);
}

}  // namespace tessera

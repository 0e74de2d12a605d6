// SPDX-License-Identifier: MIT
#include "app/case_run.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "app/flow_cut.hpp"
#include "graph/flow_graph.hpp"
#include "graph/runtime.hpp"

namespace tessera {
namespace {

/// Samples that nobody asks for say whether the flow is still one.
constexpr std::int64_t steps_between_checks = 500;

BlockGrid grid_of(CaseSetup const& setup) {
  BlockGrid grid(setup.box.geometry, setup.model.lattice);
  grid.need_all_beside(setup.box.boundaries->faces_that_mirror());
  return grid;
}

class CaseRun {
 public:
  CaseRun(Case const& c, CaseSetup const& setup, FlowCase const& flow_case, Workers const& workers,
          CaseRecords& records)
      : case_(c),
        setup_(setup),
        flow_case_(flow_case),
        records_(records),
        state_(setup.box.geometry),
        limit_(c.stop.steps.value_or(std::numeric_limits<std::int64_t>::max())) {
    make_graph(workers);
  }

  CaseOutcome run(std::function<void(CaseProgress const&)> const& observe,
                  std::atomic<bool> const& stop) {
    if (setup_.initial) graph_->set_state(setup_.initial);
    graph_->wait();
    if (records_.wants_begin()) {
      state_.take_from(*graph_);
      records_.add_state(0, state_, false);
    }
    if (case_.stop.steady) earlier_.emplace(setup_.box.geometry);
    Runtime::restart_counters();
    begin_ = std::chrono::steady_clock::now();
    std::optional<CaseEnd> end;
    while (!end) {
      end = advance();
      if (end) break;
      if (graph_->steps() >= limit_) {
        end = CaseEnd::all_steps;
      } else if (stop.load()) {
        end = CaseEnd::interrupted;
      }
      if (observe && graph_->steps() % steps_between_checks == 0) observe(progress());
    }
    return finish(*end);
  }

 private:
  void make_graph(Workers const& workers) {
    BlockGrid const grid = grid_of(setup_);
    BlockGraph const graph = graph_for(grid, workers);
    auto const [sweeps, cut] =
        first_cut(grid, graph, setup_.box.geometry.periodic, workers, flow_case_);
    steps_per_sweep_ = sweeps.steps;
    tiling_ = tiles_for(grid, cut, workers);
    FlowOptions options;
    options.precision = flow_case_.precision;
    options.model = setup_.model;
    options.parameters = setup_.parameters;
    options.window = flow_case_.window;
    options.steps_per_sweep = sweeps.steps;
    options.rooms = sweeps.rooms;
    if (sweeps.slabs) options.levels = sweeps.slabs->levels;
    options.domains = domains_of(workers);
    options.balance = flow_case_.balance;
    options.boundaries = setup_.box.boundaries;
    options.values_at = setup_.values_at;
    if (!sweeps.slabs) {
      options.cut_anew = [this, workers](std::vector<double> const& shares) {
        return cut_for(shares, grid_of(setup_), workers, flow_case_);
      };
    }
    graph_ = std::make_unique<FlowGraph>(tiling_, options);
  }

  std::int64_t next_sample() const {
    std::int64_t const step = graph_->steps();
    std::int64_t const check = (step / steps_between_checks + 1) * steps_between_checks;
    return std::min(records_.next_force_after(step), check);
  }

  std::int64_t next_steady_check() const {
    if (!case_.stop.steady) return std::numeric_limits<std::int64_t>::max();
    std::int64_t const every = case_.stop.steady->every;
    return (graph_->steps() / every + 1) * every;
  }

  /// Steps up to the next one at which something is due, but no more than a sweep.
  std::optional<CaseEnd> advance() {
    std::int64_t const before = graph_->steps();
    std::int64_t const sample = next_sample();
    std::int64_t const record = records_.next_state_after(before);
    std::int64_t const check = next_steady_check();
    std::int64_t const until = std::min({sample, record, check, limit_});
    graph_->submit_steps(std::clamp<std::int64_t>(until - before, 1, steps_per_sweep_));
    std::int64_t const step = graph_->steps();
    if (step == sample) submit_sample();
    // Some steps later: which step ends the run does not depend on timing.
    while (!pending_.empty() && pending_.front() + flow_case_.window <= step) {
      if (!take_sample()) return CaseEnd::diverged;
    }
    // The last step's state is taken in the end.
    if ((step == record && step < limit_) || step == check) state_.take_from(*graph_);
    if (step == check && is_steady()) return CaseEnd::steady;
    if (step == record && step < limit_) records_.add_state(step, state_, false);
    return std::nullopt;
  }

  void submit_sample() {
    graph_->submit_measurement();
    pending_.push_back(graph_->steps());
  }

  /// Whether the flow still has numbers.
  bool take_sample() {
    Sample const sample = graph_->take_sample(pending_.front());
    pending_.pop_front();
    if (sample.broken_tile >= 0) return false;
    records_.add_forces(sample, sample.step == last_sample_);
    return true;
  }

  bool is_steady() {
    change_ = state_.relative_change(*earlier_);
    *earlier_ = state_;
    return *change_ < case_.stop.steady->tolerance;
  }

  CaseOutcome finish(CaseEnd end) {
    if (pending_.empty() || pending_.back() != graph_->steps()) submit_sample();
    last_sample_ = graph_->steps();
    while (!pending_.empty()) {
      if (!take_sample()) end = CaseEnd::diverged;
    }
    graph_->wait();
    CaseOutcome outcome{.end = end, .last = progress(), .seconds = seconds()};
    if (end != CaseEnd::diverged) {
      state_.take_from(*graph_);
      records_.add_state(graph_->steps(), state_, true);
    }
    outcome.nodes = tiling_.nodes;
    outcome.tiles = static_cast<std::int64_t>(graph_->tiling().tiles.size());
    return outcome;
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  CaseProgress progress() const {
    auto const updates = static_cast<double>(graph_->steps()) * static_cast<double>(tiling_.nodes);
    return {graph_->steps(), change_, updates / seconds() * 1e-6};
  }

  Case const& case_;
  CaseSetup const& setup_;
  FlowCase flow_case_;
  CaseRecords& records_;
  FlowState state_;
  std::optional<FlowState> earlier_;  ///< that the next state is compared with
  std::int64_t limit_;
  Tiling tiling_;
  std::unique_ptr<FlowGraph> graph_;
  int steps_per_sweep_ = 1;
  std::deque<std::int64_t> pending_;  ///< steps of samples that have not been read
  std::int64_t last_sample_ = -1;
  std::optional<double> change_;
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
  }
  return "";
}

CaseOutcome run_case(Case const& c, CaseSetup const& setup, FlowCase const& flow_case,
                     Workers const& workers, CaseRecords& records,
                     std::function<void(CaseProgress const&)> const& observe,
                     std::atomic<bool> const& stop) {
  return CaseRun(c, setup, flow_case, workers, records).run(observe, stop);
}

}  // namespace tessera

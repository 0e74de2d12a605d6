// SPDX-License-Identifier: MIT
// The permeability along an axis by the Krylov solver.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "graph/worker_team.hpp"
#include "permeability/flows/axis_flow.hpp"
#include "permeability/flows/stokes_run.hpp"

namespace tessera {

class SolvedFlow : public AxisFlow {
 public:
  /// Makes the solver's space, or takes one of `spaces`; changes the box's relaxation time. What
  /// takes time are tasks of the team; without one, the calling thread does it, as a task would
  /// that has a flow for itself. Box, `asked` and team must outlive it, and the team the spaces.
  /// Throws as StokesSpaces::of().
  SolvedFlow(PreparedBox& box, PermeabilityCase const& asked, Workers const& workers,
             StokesSpaces& spaces, bool share, WorkerTeam* team = nullptr);

  PreparedBox const& box() const override { return box_; }
  FlowIdentity identity() const override;
  Solver kind() const override { return Solver::minres; }
  std::int64_t nodes() const override { return run_->nodes(); }
  std::int64_t tiles() const override { return 1; }

  PermeabilityOutcome run(Observe const& observe, RunControl const& control) override;
  /// As run(), for those who ask for nothing but k; then no nodes can be visited.
  PermeabilityOutcome run_for_k(RunControl const& control) { return run_->run({}, control); }

  double body_force() const override { return run_->body_force(); }
  SolverResult solver() const override { return run_->result(); }
  std::optional<double> slip_slope() const override { return slip_slope_; }
  std::optional<double> largest_speed() const override { return run_->largest_speed(); }
  void visit_nodes(VisitNode const& visit) override { run_->visit_nodes(visit); }
  void add_to(Performance& performance, RunOutcome const& outcome) const override;

 private:
  std::vector<Performance::SolvedBy> workers_of() const;

  PreparedBox const& box_;
  PermeabilityCase const& asked_;
  WorkerTeam* team_;
  std::vector<WorkerResult> workers_;  ///< of the team, what they did in the run
  double set_up_seconds_ = 0;
  std::optional<double> slip_slope_;
  double slip_seconds_ = 0;
  std::unique_ptr<StokesRun> run_;
};

}  // namespace tessera

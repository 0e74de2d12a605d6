// SPDX-License-Identifier: MIT
// The permeability along an axis by time steps on the task graph.
#pragma once

#include <optional>
#include <string>

#include "graph/runtime/runtime.hpp"
#include "permeability/flows/axis_flow.hpp"

namespace tessera {

class SteppedFlow : public AxisFlow {
 public:
  /// Cuts the box. A Runtime of its own is there from run() on: an older one would keep the memory
  /// of the last axis' tiles. `asked` and `workers` must outlive it.
  SteppedFlow(PreparedBox box, PermeabilityCase const& asked, Workers const& workers,
              std::string scheduler);

  /// The box keeps its shape; it cannot be cut anew then.
  void let_go_of_voxels() { prepared_.geometry.own.pore = {}; }

  PreparedBox const& box() const override { return prepared_; }
  FlowIdentity identity() const override;
  Solver kind() const override { return Solver::steps; }
  std::int64_t nodes() const override { return prepared_.tiling.nodes; }
  std::int64_t tiles() const override { return prepared_.quality.tiles; }

  PermeabilityOutcome run(Observe const& observe, RunControl const& control) override;

  double body_force() const override { return run_->body_force(); }
  SolverResult solver() const override { return solver_; }
  void visit_nodes(VisitNode const& visit) override;
  void add_to(Performance& performance, RunOutcome const& outcome) const override;

 private:
  PermeabilityCase const& asked_;
  std::string scheduler_;
  double label_seconds_;
  PreparedFlow prepared_;
  std::optional<Runtime> runtime_;
  std::optional<PermeabilityRun> run_;
  SolverResult solver_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The flow along one axis of an image, whichever way its permeability is found.
#pragma once

#include <functional>
#include <optional>

#include "io/results/results.hpp"
#include "permeability/flows/fields.hpp"
#include "permeability/flows/permeability_run.hpp"
#include "permeability/permeability_case.hpp"
#include "run/performance.hpp"
#include "run/run_control.hpp"

namespace tessera {

class AxisFlow {
 public:
  using Observe = std::function<void(PermeabilityPoint const&)>;

  AxisFlow() = default;
  virtual ~AxisFlow() = default;
  AxisFlow(AxisFlow const&) = delete;
  AxisFlow& operator=(AxisFlow const&) = delete;

  virtual PreparedBox const& box() const = 0;
  /// Which flow it is, for its checkpoints.
  virtual FlowIdentity identity() const = 0;
  virtual Solver kind() const = 0;
  virtual std::int64_t nodes() const = 0;
  virtual std::int64_t tiles() const = 0;

  /// Runs until the permeability is good enough or something ends it; once. `observe` sees every
  /// point.
  virtual PermeabilityOutcome run(Observe const& observe, RunControl const& control) = 0;

  // In the end:
  /// Per mass, along the axis, in lattice units.
  virtual double body_force() const = 0;
  /// What results.json says of the solver, but why it was chosen.
  virtual SolverResult solver() const = 0;
  /// dk/dl of a slip length l at the walls, voxels, if it was asked for and found.
  virtual std::optional<double> slip_slope() const { return std::nullopt; }
  /// The largest of all nodes, lattice units, if it is known without visiting them.
  virtual std::optional<double> largest_speed() const { return std::nullopt; }
  /// On several threads, perhaps. Only if the case keeps_states.
  virtual void visit_nodes(VisitNode const& visit) = 0;
  virtual void add_to(Performance& performance, RunOutcome const& outcome) const = 0;
};

}  // namespace tessera

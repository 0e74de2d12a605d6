// SPDX-License-Identifier: MIT
// A flow along one axis, run until its permeability is good enough.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "methods/lattice/flow_graph.hpp"
#include "permeability/permeability_case.hpp"
#include "run/flow_loop.hpp"

namespace tessera {

/// The permeability at a step.
struct PermeabilityPoint {
  std::int64_t step = 0;
  double k_lattice = 0;           ///< voxels squared; quadratic where the flow has a functional
  double k_linear = 0;            ///< voxels squared: of the flow through the sample as it is
  double error_estimate = 0;      ///< relative
  double force_balance = 0;       ///< drag over driving force
  double mean_density_shift = 0;  ///< mass conservation: stays 0
  double sample_nodes = 0;        ///< nodes that the averages are taken over
  double mean_velocity[3] = {};   ///< superficial, mean over two steps; along the axis: k_lattice's
};

inline constexpr EndWords permeability_ends{.settled = "converged",
                                            .all_steps = "step limit reached"};

struct PermeabilityOutcome : RunOutcome {
  PermeabilityPoint last;
  std::vector<PermeabilityPoint> history;
  double change = 0;
  double rounding_error = 0;      ///< relative, of k: left by the precision, however long the run
  std::int32_t broken_tile = -1;  ///< the tile that diverged; -1: none

  /// Relative error of the k of a point: of the steps still to come, and of rounding.
  double error_of(PermeabilityPoint const& point) const {
    return std::max(point.error_estimate, rounding_error);
  }
  double error() const { return error_of(last); }
};

/// What a permeability by steps may be off by, relative, as its populations are rounded: measured
/// where that is much, see docs/method.md, "Precision". `length`: of the box along the flow.
double rounding_error(Precision precision, double mean_pore_speed, double body_force,
                      double length);

/// The running flow; a Runtime and the prepared flow have to outlive it.
class PermeabilityRun {
 public:
  PermeabilityRun(PreparedFlow const& prepared, PermeabilityCase const& asked);

  /// Steps until the permeability is good enough or something ends it. `observe` sees every point.
  PermeabilityOutcome run(std::function<void(PermeabilityPoint const&)> const& observe = {},
                          RunControl const& control = {});

  FlowGraph& graph() const { return *graph_; }
  /// Whether its permeabilities are those of the quadratic functional.
  bool has_functional() const { return has_functional_; }
  /// The present force per mass along the axis, in lattice units.
  double body_force() const { return body_force_; }

 private:
  class Series;

  bool has_grey() const { return !prepared_.geometry.own.of_grey.empty(); }
  /// The drag along the axis of walls and grey voxels in the step before a state.
  double drag_of(Measurement const& measured) const;
  PermeabilityPoint point_of(Measurement const& even, Measurement const& odd) const;
  /// What in-situ scripts are told of the latest point.
  MonitorRow monitor_row(PermeabilityPoint const& point) const;
  /// Changes the force, after waiting for all tasks.
  void set_body_force(double force);
  /// Has the states after a step and the next one measured. The second of these steps must not have
  /// been submitted.
  void measure_point_at(std::int64_t step);

  PreparedFlow const& prepared_;
  PermeabilityCase asked_;
  double body_force_;
  bool has_functional_;
  std::unique_ptr<FlowGraph> graph_;
};

}  // namespace tessera

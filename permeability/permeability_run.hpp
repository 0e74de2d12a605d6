// SPDX-License-Identifier: MIT
// A flow along one axis, run until its permeability is good enough.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "flow/flow_graph.hpp"
#include "permeability/permeability_case.hpp"
#include "run/flow_loop.hpp"

namespace tessera {

/// The permeability at a step.
struct PermeabilityPoint {
  std::int64_t step = 0;
  double k_lattice = 0;           ///< voxels squared
  double error_estimate = 0;      ///< relative
  double force_balance = 0;       ///< drag over driving force
  double mean_density_shift = 0;  ///< mass conservation: stays 0
  double sample_nodes = 0;        ///< nodes that the averages are taken over
  double mean_velocity[3] = {};   ///< superficial, mean over two consecutive steps
};

inline constexpr EndWords permeability_ends{.settled = "converged",
                                            .all_steps = "step limit reached"};

struct PermeabilityOutcome : RunOutcome {
  PermeabilityPoint last;
  std::vector<PermeabilityPoint> history;
  double change = 0;
  std::int32_t broken_tile = -1;  ///< if diverged
};

/// The running flow; needs a Runtime, and what was prepared.
class PermeabilityRun {
 public:
  PermeabilityRun(PreparedFlow const& prepared, PermeabilityCase const& asked);

  /// Steps until the permeability is good enough or something ends it. `observe` sees every point.
  PermeabilityOutcome run(std::function<void(PermeabilityPoint const&)> const& observe = {},
                          RunControl const& control = {});

  FlowGraph& graph() const { return *graph_; }
  /// Per mass, along the axis, in lattice units; as it is now.
  double body_force() const { return body_force_; }

 private:
  class Series;

  PermeabilityPoint point_of(Measurement const& even, Measurement const& odd) const;
  /// Of the latest point, for those who look.
  MonitorRow monitor_row(PermeabilityPoint const& point) const;
  /// Waits for all tasks.
  void set_body_force(double force);

  PreparedFlow const& prepared_;
  PermeabilityCase asked_;
  double body_force_;
  std::unique_ptr<FlowGraph> graph_;
};

}  // namespace tessera

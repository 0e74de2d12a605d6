// SPDX-License-Identifier: MIT
// Steady flows at one Reynolds number after another, each beginning with the last one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/runtime/runtime.hpp"
#include "permeability/flows/permeability_run.hpp"

namespace tessera {

/// What a flow at a Reynolds number gives. The apparent permeability is nu U / g, whatever the
/// inertia; U the superficial velocity, g the driving force per mass.
struct InertialFlow {
  double asked_reynolds = 0;
  double reynolds = 0;   ///< of the mean pore velocity and the pores' hydraulic diameter
  double k_lattice = 0;  ///< apparent, voxels squared
  double velocity_over_viscosity = 0;  ///< U / nu, per voxel
  double mach = 0;                     ///< of the largest speed
  double relaxation_time = 0;
  Precision precision = Precision::single_precision;
  double error_estimate = 0;  ///< of k, relative
  std::int64_t steps = 0;
  RunEnd end = RunEnd::settled;
  std::string why_unsettled = {};  ///< in words, if the steps did not do

  bool settled() const { return end == RunEnd::settled; }
  /// g / (nu U): 1/k + beta U/nu by Forchheimer's law.
  double resistance() const { return 1 / k_lattice; }
};

class InertialSeries {
 public:
  /// `asked`: a model with inertia; it must outlive this. `k_darcy`: of creeping flow, in voxels
  /// squared. `may_widen`: double precision where single would stand still too early for the
  /// tolerance.
  InertialSeries(PreparedFlow flow, PermeabilityCase const& asked, std::string const& scheduler,
                 double k_darcy, bool may_widen);

  /// To be called with Reynolds numbers that ascend. The viscosity is that of creeping flow as long
  /// as the square of the largest Mach number stays below twice the tolerance (0.01 and 0.1 are its
  /// bounds), beyond that as small as the Reynolds number needs.
  InertialFlow flow_at(double reynolds, RunControl const& control);

 private:
  void choose_physics(double reynolds);
  /// For the physics that were chosen.
  Precision precision() const;
  /// By Forchheimer's law through the last two flows.
  double expected_resistance(double velocity_over_viscosity) const;
  void begin_with_last(FlowGraph& graph) const;
  /// Returns the largest speed.
  double keep(FlowGraph& graph);

  PreparedFlow flow_;
  PermeabilityCase const& asked_;
  Runtime runtime_;
  double k_darcy_;
  bool may_widen_;
  double viscosity_of_creeping_;
  double sample_nodes_;
  double peak_ = 10;  ///< largest over mean pore velocity; a guess until there is a flow
  std::vector<InertialFlow> found_;
  double expected_velocity_ = 0;  ///< U of the flow at hand
  std::vector<NodeState> last_;   ///< of all voxels, in the last flow
  double last_velocity_ = 0;      ///< its U
  double last_force_ = 0;         ///< its g
};

}  // namespace tessera

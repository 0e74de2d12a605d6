// SPDX-License-Identifier: MIT
// One flow through an image along one axis, from the geometry to the permeability.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run_control.hpp"
#include "flow/flow_graph.hpp"
#include "partition/flow_setup.hpp"

namespace tessera {

/// What the user asks for. Lattice units; defaults are chosen for creeping flow.
struct FlowCase {
  FlowSetup setup = FlowSetup::sealed;
  std::int64_t buffer_layers = default_buffer_layers;
  FlowModel model;
  double magic = 3.0 / 16.0;
  Precision precision = Precision::single_precision;
  std::optional<double> relaxation_time;  ///< chosen from the pore size if not given
  std::optional<double> body_force;       ///< likewise
  double tolerance = 1e-3;                ///< relative error of the permeability
  std::int64_t max_steps = 1'000'000;
  int tiles = 0;                    ///< of all GPUs if there are any, else of all cores; 0: chosen
  std::int64_t nodes_per_tile = 0;  ///< for the choice, on the same; 0: the usual
  int window = 4;
  Balance balance = Balance::dynamic;
  int steps_per_sweep = 0;  ///< 0: 1 if the lattice fits into the memory of its GPUs, else more
};

/// The permeability at a step.
struct FlowPoint {
  std::int64_t step = 0;
  double k_lattice = 0;           ///< voxels squared
  double error_estimate = 0;      ///< relative
  double force_balance = 0;       ///< drag over driving force
  double mean_density_shift = 0;  ///< mass conservation: stays 0
  double sample_nodes = 0;        ///< nodes that the averages are taken over
  double mean_velocity[3] = {};   ///< superficial, mean over two consecutive steps
};

enum class StopReason : std::uint8_t {
  converged,
  max_steps,
  interrupted,
  diverged,
  steered,     ///< whoever looks at the flow says so
  look_failed  ///< looking at the flow failed, and the user wants that to end the run
};
char const* describe(StopReason reason);

/// What a flow is prepared for.
struct Workers {
  unsigned cores = 1;
  unsigned gpus = 0;
  double cores_share = 0;     ///< of the work, beside GPUs
  std::size_t gpu_bytes = 0;  ///< memory for lattices on each GPU; 0: enough
};

/// Where the tiles of a flow prepared so may live; needs a Runtime.
std::vector<Domain> domains_of(Workers const& workers);

/// What to call them, in the same order.
std::vector<std::string> domain_names(Workers const& workers);

/// The tiles of a flow before its first step, and how they take their steps.
struct FlowTiles {
  Tiling tiling;
  int steps_per_sweep = 1;
  std::optional<TileLevels> levels;  ///< of the slabs of a lattice that does not fit
  std::int32_t rooms = 0;            ///< slabs that a GPU holds of it
};

/// What has been prepared before the first step, for the user to see.
struct FlowPreparation : FlowTiles {
  Geometry geometry;  ///< of the box, without the pores that do not percolate
  Workers workers;
  FlowBox box;  ///< its geometry is moved out
  std::int64_t isolated_voxels = 0;
  double relaxation_time = 0;
  double body_force = 0;
  double hydraulic_diameter = 0;
  CutQuality metis;
  CutQuality curve;
  double seconds = 0;
};

struct FlowOutcome {
  FlowPoint last;
  StopReason reason = StopReason::max_steps;
  std::vector<FlowPoint> history;
  std::int64_t first_step = 0;  ///< that the run began after
  std::int64_t steps = 0;
  double seconds = 0;
  double change = 0;
  std::int32_t broken_tile = -1;  ///< if diverged
};

/// Prepares box, tiles and parameters. Throws BadInput if no pore leads through.
FlowPreparation prepare_flow(Geometry const& image, Axis axis, FlowCase const& flow_case,
                             Workers const& workers);

/// The running flow; needs a Runtime.
class FlowRun {
 public:
  FlowRun(FlowPreparation const& preparation, Axis axis, FlowCase const& flow_case);

  /// Steps until the permeability is good enough or something ends it. `observe` sees every point.
  FlowOutcome run(std::function<void(FlowPoint const&)> const& observe = {},
                  RunControl const& control = {});

  FlowGraph& graph() { return *graph_; }
  double viscosity() const;
  /// Per mass, along the axis, in lattice units; as it is now.
  double body_force() const { return body_force_; }
  /// Along the axis, mean over the pores that flow, in lattice units.
  double mean_pore_speed(FlowPoint const& point) const;
  /// By the mean speed in the pores and their hydraulic diameter.
  double reynolds(FlowPoint const& point) const;

 private:
  class Search;

  FlowPoint point_of(Sample const& even, Sample const& odd) const;
  /// Of the latest point, for those who look.
  MonitorRow monitor_row(FlowPoint const& point) const;
  /// Waits for all tasks.
  void set_body_force(double force);

  FlowPreparation const& preparation_;
  Axis axis_;
  FlowCase flow_case_;
  double body_force_;
  std::unique_ptr<FlowGraph> graph_;
};

}  // namespace tessera

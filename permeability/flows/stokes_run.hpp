// SPDX-License-Identifier: MIT
// A permeability without steps: by the Krylov solver of methods/stokes/, where it holds.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "methods/stokes/stokes.hpp"
#include "permeability/flows/axis_flow.hpp"
#include "permeability/flows/steady_workers.hpp"
#include "run/flow_loop.hpp"
#include "run/node_flow.hpp"

namespace tessera {

/// Why a flow cannot be solved for, in words; nothing if it can be: creeping flow by TRT on D3Q19,
/// in single or double precision, at no other relaxation time than 1.
std::optional<std::string> why_not_solved_for(PermeabilityCase const& asked);

/// The case as the solver takes it: at a relaxation time of 1, on which k does not depend.
PermeabilityCase solved_for(PermeabilityCase asked);

/// The spaces of the flows along several axes: one for all, where they are the same pores.
class StokesSpaces {
 public:
  /// `shared`: whether another axis may have the same pores. Throws BadInput where a pore space has
  /// no wall, EnvironmentError where memory does not suffice.
  std::shared_ptr<StokesSpace> of(Geometry const& geometry, StokesOptions const& options,
                                  bool shared);

 private:
  Geometry geometry_;
  std::shared_ptr<StokesSpace> kept_;
};

/// The flow through a box, on the cores or GPUs of its space. Its steps are iterations.
class StokesRun : public NodeFlow {
 public:
  /// The box must outlive it. `run_piece` runs what takes time: as a task, or in the calling
  /// thread.
  StokesRun(PreparedBox const& box, PermeabilityCase const& asked,
            std::shared_ptr<StokesSpace> space, RunPiece run_piece);

  /// Iterates until the error of the permeability is below the tolerance and the assembled state
  /// confirms it, or something ends it. For fields: and until the residual is below it, too; k
  /// alone is good long before.
  PermeabilityOutcome run(AxisFlow::Observe const& observe, RunControl const& control);
  /// Adds to the outcome the means of the other components, and gathers the state of the nodes that
  /// the run has come to if it is kept.
  void gather(PermeabilityOutcome& outcome);
  /// After gather(), in a process that is alone: dk/dl of a slip length l at the walls, voxels.
  double slip_slope();

  double bytes_per_node() const { return space_->bytes_per_node(); }
  /// That compute it; 0: cores.
  int gpus() const { return space_->gpus(); }
  /// What each core did in the run; none on a GPU.
  std::vector<CoreUse> uses() const;
  /// What gather() took.
  double gather_seconds() const { return gather_seconds_; }
  /// Per mass: scripts may have asked for another one than the box says.
  double body_force() const { return body_force_; }
  /// After gather().
  double largest_speed() const { return sums_.largest_speed; }
  /// All ranks: visits the state that the run has come to, on several threads. Of several ranks the
  /// first visits all nodes; who does it by itself (Ranks::ByItself), its own.
  void visit_nodes(NodeFlow::VisitNode const& visit) const;
  /// What results.json says of it.
  SolverResult result() const;

  // RunningFlow:
  std::int64_t steps() const override { return solver_->estimate().iterations; }
  void submit_steps(std::int64_t count) override;
  void wait() override {}
  std::int64_t nodes() const override { return space_->nodes(); }
  void submit_snapshots(std::size_t set) override {
    find_voxels();
    snapshots_.at(set) = fields();
  }
  void visit_snapshots(std::size_t set, NodeFlow::VisitNode const& visit) override;
  SavedSize saved_size() const override;
  void save(CheckpointWriter* writer) override;
  void restore(std::int64_t step, CheckpointReader const& reader) override;

 private:
  class Series;

  Uninitialised<StokesState> fields();
  void find_voxels() {
    if (voxels_.empty()) voxels_ = space_->voxels();
  }
  void visit_states(Uninitialised<StokesState> const& states, std::size_t begin, std::size_t end,
                    NodeFlow::VisitNode const& visit) const;
  PermeabilityPoint point_of(StokesEstimate const& estimate) const;
  bool confirm(StokesEstimate const& said, double tolerance);
  void take_means(PermeabilityPoint& point) const;
  /// All ranks: what each has and says in an iteration, in the log.
  void log_shares(std::int64_t iterations) const;

  PreparedBox const& box_;
  PermeabilityCase const& asked_;
  double body_force_;
  bool spread_;  ///< over several ranks
  std::shared_ptr<StokesSpace> space_;
  RunPiece run_piece_;
  std::unique_ptr<StokesSolver> solver_;
  StokesConfirmation confirmation_;
  bool confirmed_ = false;
  Uninitialised<std::int64_t> voxels_;  ///< of the own nodes, where states are asked for
  std::array<Uninitialised<StokesState>, 2> snapshots_;
  Uninitialised<StokesState> states_;  ///< in the end
  StokesSums sums_;
  double gather_seconds_ = 0;
  std::vector<CoreUse> uses_before_, uses_after_;
  RankTraffic traffic_before_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// A flow that comes to its state by time steps or by iterations: as the loop of a run, those who
// look at it and its checkpoint see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/box.hpp"
#include "codelets/lattice/snapshot.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "methods/lattice/flow_graph.hpp"

namespace tessera {

class RunningFlow {
 public:
  /// A fluid node: its voxel in the box, its tile, its state in lattice units.
  using VisitNode = std::function<void(Int3 voxel, std::int32_t tile, NodeState const& state)>;

  RunningFlow() = default;
  virtual ~RunningFlow() = default;
  RunningFlow(RunningFlow const&) = delete;
  RunningFlow& operator=(RunningFlow const&) = delete;

  /// Submitted so far, with those of earlier runs.
  virtual std::int64_t steps() const = 0;
  virtual void submit_steps(std::int64_t count) = 0;
  /// Until all that has been submitted is done.
  virtual void wait() = 0;

  /// What has been counted of workers so far is not of the run.
  virtual void restart_counters() {}

  // For those who look:
  virtual std::int64_t nodes() const = 0;
  /// Submits a copy of the state after the last step, into one of two sets of buffers (0, 1).
  virtual void submit_snapshots(std::size_t set) = 0;
  /// Waits for it and visits it, of several ranks each its own nodes; tiles have their numbers
  /// among those of all. The set is free then. May be called by another thread.
  virtual void visit_snapshots(std::size_t set, VisitNode const& visit) = 0;
  /// What each tile and each worker did so far; none where there are none.
  virtual std::vector<TileReport> tile_reports() const { return {}; }
  virtual std::vector<WorkClock::Use> worker_uses() const { return {}; }

  // For a checkpoint:
  /// Of its values, of the type that they are stored in, and the blocks that they come in.
  struct SavedSize {
    std::int64_t values = 0;
    std::int32_t blocks = 0;
  };
  virtual SavedSize saved_size() const = 0;
  /// All ranks; the first one writes, unless it could not begin to (null).
  virtual void save(CheckpointWriter* writer) = 0;
  /// Goes on after `step` from what was saved, to the same bits.
  virtual void restore(std::int64_t step, CheckpointReader const& reader) = 0;
};

}  // namespace tessera

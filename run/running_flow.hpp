// SPDX-License-Identifier: MIT
// A flow that reaches its state by time steps or by iterations: the interface for the loop of a
// run, for looks and for checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/balance/work_clock.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace tessera {

class RunningFlow {
 public:
  RunningFlow() = default;
  virtual ~RunningFlow() = default;
  RunningFlow(RunningFlow const&) = delete;
  RunningFlow& operator=(RunningFlow const&) = delete;

  /// Steps submitted so far, with those of earlier runs.
  virtual std::int64_t steps() const = 0;
  virtual void submit_steps(std::int64_t count) = 0;
  /// Waits until all submitted work is done.
  virtual void wait() = 0;

  /// Resets the counters of workers: what they have counted so far does not belong to the run.
  virtual void restart_counters() {}

  // Functions for looks:
  virtual std::int64_t nodes() const = 0;
  /// Submits a copy of the state after the last step, into one of two sets of buffers (0, 1).
  virtual void submit_snapshots(std::size_t set) = 0;
  /// What each worker did so far; empty where there are none.
  virtual std::vector<WorkClock::Use> worker_uses() const { return {}; }

  // Functions for a checkpoint:
  /// Numbers of the values that save() writes, and of their blocks.
  struct SavedSize {
    std::int64_t values = 0;
    std::int32_t blocks = 0;
  };
  virtual SavedSize saved_size() const = 0;
  /// All ranks: saves the state. `writer`: rank 0's; null if it could not begin: then nothing is
  /// written.
  virtual void save(CheckpointWriter* writer) = 0;
  /// Continues after `step` from a saved state, to the same bits.
  virtual void restore(std::int64_t step, CheckpointReader const& reader) = 0;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What a flow runs for (its stop rule and its records): a permeability, the records of a case.
#pragma once

#include <cstdint>
#include <optional>

#include "insitu/frame.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/json_fwd.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/flow_watch.hpp"
#include "run/run_end.hpp"

namespace tessera {

/// The loop (run/flow_loop.hpp) calls these functions in the order in which they stand here. The
/// loop ends the run when one of them returns an end.
class RunAim {
 public:
  RunAim() = default;
  virtual ~RunAim() = default;
  RunAim(RunAim const&) = delete;
  RunAim& operator=(RunAim const&) = delete;

  // Before the first step: one of these two,
  virtual void begin() = 0;
  /// Resumes from the state of an earlier run. Throws BadInput.
  virtual void go_on_from(Checkpoints const& checkpoints) = 0;
  // and, after the first look at the flow,
  virtual std::optional<RunEnd> begun() { return std::nullopt; }

  // For each sweep of steps:
  /// Applies requested changes for the steps to come.
  virtual void before_steps() {}
  /// The next step whose state matters.
  virtual std::int64_t next_due() const = 0;
  /// Submits the measurements that are due now, and reads those that are old enough.
  virtual std::optional<RunEnd> after_steps() = 0;
  /// The run's own figures, for a look at the flow now.
  virtual MonitorRow monitor_row() const = 0;
  /// Takes the changes that a look has requested.
  virtual void take(FlowChanges const& changes) = 0;
  /// Takes the state if it is due, checks it and writes its records.
  virtual std::optional<RunEnd> after_look() { return std::nullopt; }

  /// Writes the fields of this step, as a look has requested.
  virtual std::optional<RunEnd> write_fields() { return std::nullopt; }

  // For a checkpoint:
  /// Reads all measurements in flight, so that none is missing and none comes twice.
  virtual std::optional<RunEnd> read_measurements() = 0;
  virtual Json save(CheckpointWriter& writer) const = 0;

  // In the end:
  /// Takes the state after the last step. `kept`: in a checkpoint, from which a longer run may
  /// resume.
  virtual std::optional<RunEnd> take_last_state(bool /*kept*/) { return std::nullopt; }
  /// Takes what only the last step measures.
  virtual std::optional<RunEnd> take_last_measurements() = 0;
};

}  // namespace tessera

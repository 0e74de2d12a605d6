// SPDX-License-Identifier: MIT
// What a flow runs for (its stop rule, and what is written down on the way): a permeability, the
// records of a case.
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

/// The loop (run/flow_loop.hpp) calls these, in the order in which they stand here. Who returns an
/// end has the loop end the run.
class RunAim {
 public:
  RunAim() = default;
  virtual ~RunAim() = default;
  RunAim(RunAim const&) = delete;
  RunAim& operator=(RunAim const&) = delete;

  // Before the first step: one of these two,
  virtual void begin() = 0;
  /// From where an earlier run has come to. Throws BadInput.
  virtual void go_on_from(Checkpoints const& checkpoints) = 0;
  // and, once the flow has been looked at,
  virtual std::optional<RunEnd> begun() { return std::nullopt; }

  // For each sweep of steps:
  /// Changes that have been asked for may take effect here, for the steps to come.
  virtual void before_steps() {}
  /// The next step whose state matters.
  virtual std::int64_t next_due() const = 0;
  /// Measurements: those due now are submitted, those that are old enough read.
  virtual std::optional<RunEnd> after_steps() = 0;
  /// Of itself, for those who look at the flow now.
  virtual MonitorRow monitor_row() const = 0;
  /// What they want to be changed.
  virtual void take(FlowChanges const& changes) = 0;
  /// States: what is due is looked at and written down.
  virtual std::optional<RunEnd> after_look() { return std::nullopt; }

  /// The fields of this step, for those who look have asked for them.
  virtual std::optional<RunEnd> write_fields() { return std::nullopt; }

  // For a checkpoint:
  /// Reads all measurements that are on their way, so that nothing is missing and nothing comes
  /// twice.
  virtual std::optional<RunEnd> read_measurements() = 0;
  virtual Json save(CheckpointWriter& writer) const = 0;

  // In the end:
  /// The state after the last step. `kept`: in a checkpoint, from which a longer run may go on.
  virtual std::optional<RunEnd> take_last_state(bool /*kept*/) { return std::nullopt; }
  /// What only the last step measures.
  virtual std::optional<RunEnd> take_last_measurements() = 0;
};

}  // namespace tessera

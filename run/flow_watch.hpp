// SPDX-License-Identifier: MIT
// Who looks at a flow while it runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "insitu/frame.hpp"
#include "run/run_end.hpp"
#include "run/running_flow.hpp"

namespace tessera {

/// What may be changed while a flow runs.
struct FlowChanges {
  std::optional<double> tolerance;
  std::optional<double> body_force_factor;  ///< of the force that the run began with
};

/// Someone who looks at the flow while it runs, at steps of his choice. All calls come from the
/// thread that submits.
class FlowWatch {
 public:
  FlowWatch() = default;
  virtual ~FlowWatch() = default;
  FlowWatch(FlowWatch const&) = delete;
  FlowWatch& operator=(FlowWatch const&) = delete;

  /// The step of the next look; before the first it is that of the state that the flow begins with.
  virtual std::int64_t next_look() const = 0;
  /// Called after that step has been submitted, and after the last one. `known`: what the run knows
  /// of itself, in lattice units.
  virtual void look(RunningFlow& flow, MonitorRow const& known) = 0;
  /// Whether the run is to end: steered or look_failed.
  virtual std::optional<RunEnd> wants_end() const = 0;
  /// Whether the fields are to be written now; once.
  virtual bool wants_fields() = 0;
  /// Whether a checkpoint is to be written now; once.
  virtual bool wants_checkpoint() = 0;
  /// What is to be changed, once.
  virtual FlowChanges take_changes() = 0;
  /// After the last look: returns when the flow is no longer needed.
  virtual void end() = 0;
};

/// Has the watch look, if there is one and it is due or, `at_any_rate`, the last step is done.
/// Returns what is to be changed then.
template <class Known>
FlowChanges look_if_due(FlowWatch* watch, RunningFlow& flow, Known const& known,
                        bool at_any_rate = false) {
  if (watch == nullptr || !(at_any_rate || flow.steps() == watch->next_look())) return {};
  watch->look(flow, known());
  return watch->take_changes();
}

/// The step up to which the flow may go before the next look.
inline std::int64_t until_next_look(FlowWatch const* watch, std::int64_t step, std::int64_t until) {
  if (watch == nullptr || watch->next_look() <= step) return until;
  return std::min(until, watch->next_look());
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Looks at a flow while it runs: scripts, ParaView.
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
  std::optional<double> body_force_factor;  ///< relative to the force that the run began with
};

/// Looks at the flow while it runs, at steps that it chooses. All calls come from the submitting
/// thread.
class FlowWatch {
 public:
  FlowWatch() = default;
  virtual ~FlowWatch() = default;
  FlowWatch(FlowWatch const&) = delete;
  FlowWatch& operator=(FlowWatch const&) = delete;

  /// The step of the next look; before the first look, the step of the initial state.
  virtual std::int64_t next_look() const = 0;
  /// Called after the step of a look has been submitted, and after the last step. `known`: the
  /// run's own figures, in lattice units.
  virtual void look(RunningFlow& flow, MonitorRow const& known) = 0;
  /// The end that the watch requests, steered or look_failed, or none.
  virtual std::optional<RunEnd> wants_end() const = 0;
  /// Whether the fields are to be written now; returns true once for a request.
  virtual bool wants_fields() = 0;
  /// Whether a checkpoint is to be written now; returns true once for a request.
  virtual bool wants_checkpoint() = 0;
  /// The requested changes; returns each once.
  virtual FlowChanges take_changes() = 0;
  /// Collective: called after the last look; returns when it has been taken. It may have asked for
  /// fields.
  virtual void end() = 0;
};

/// Lets the watch look, if there is one and a look is due or, `at_any_rate`, the last step is done.
/// Returns the requested changes.
template <class Known>
FlowChanges look_if_due(FlowWatch* watch, RunningFlow& flow, Known const& known,
                        bool at_any_rate = false) {
  if (watch == nullptr || !(at_any_rate || flow.steps() == watch->next_look())) return {};
  watch->look(flow, known());
  return watch->take_changes();
}

/// The step up to which the flow may step before the next look.
inline std::int64_t until_next_look(FlowWatch const* watch, std::int64_t step, std::int64_t until) {
  if (watch == nullptr || watch->next_look() <= step) return until;
  return std::min(until, watch->next_look());
}

}  // namespace tessera

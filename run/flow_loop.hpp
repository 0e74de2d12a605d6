// SPDX-License-Identifier: MIT
// The loop that runs a flow until something ends it.
#pragma once

#include <cstdint>

#include "run/run_aim.hpp"
#include "run/run_control.hpp"
#include "run/run_end.hpp"
#include "run/running_flow.hpp"

namespace tessera {

struct RunOutcome {
  RunEnd end = RunEnd::all_steps;
  std::int64_t first_step = 0;  ///< that the run began after
  std::int64_t steps = 0;       ///< the last one
  double seconds = 0;           ///< of stepping, or iterating
};

struct StepLimits {
  std::int64_t steps = 0;  ///< of the flow, with those of earlier runs
  int per_sweep = 1;
  /// Steps between the reductions by which all ranks learn of requests from outside: by signals, by
  /// the clock.
  std::int64_t between_meetings = 20;
};

/// Runs a flow, in this order:
///
/// 1. A sweep of steps, one of equally long ones up to the next step that the aim, a look, a
///    checkpoint or the limit waits for: decisions fall on the same steps whatever the sweeps.
/// 2. The aim reads its measurements, the watch looks at the flow, the aim takes states.
/// 3. The run ends, or a checkpoint is written if one is due.
///
/// At the end the last checkpoint comes before what only the last step measures: a run may resume
/// from there.
RunOutcome run_flow(RunningFlow& flow, RunAim& aim, RunControl const& control, StepLimits limits);

}  // namespace tessera

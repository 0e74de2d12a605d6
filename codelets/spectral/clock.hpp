// SPDX-License-Identifier: MIT
// Time as a datum: how long a step is depends on what the tiles have computed, so the submitting
// thread does not know it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "graph/tasks/submit.hpp"

namespace tessera::spectral {

/// The clock of a step: when it begins, and how long it is.
struct Clock {
  double time = 0;
  double dt = 0;
};

/// How the next step's clock is found.
struct ClockRule {
  double sigma = 0.9;  ///< share of the stable step
  double fixed = 0;    ///< the step itself, if more than 0
  std::vector<double>
      meet{};  ///< times that a step ends at, ascending; none is taken past the last

  /// `stable`: the longest stable step.
  double step_at(double time, double stable) const;
  /// The step, shortened so that a step ends at the next of the times to meet.
  double met(double time, double step) const;
};

/// Longest stable steps of packs times their speeds, tile by tile.
using SpeedLimits = std::vector<std::vector<double>>;

/// The data from which the longest stable step is found.
struct StepBounds {
  /// Speeds of the packs of each tile (StageData::speeds).
  std::vector<DataHandle const*> speeds{};
  SpeedLimits const* limits = nullptr;  ///< of these tiles; outlive the task
  /// Longest stable steps that other ranks have found for their tiles.
  std::vector<DataHandle const*> longest{};
};

/// Sets the clock of a step, on a core. `before`: the clock of the step before; without it the step
/// begins at `time`. The rule outlives the task.
void submit_clock(DataHandle const& clock, DataHandle const* before, double time,
                  StepBounds const& bounds, ClockRule const& rule);

/// Finds the longest stable step: W double.
void submit_longest_step(DataHandle const& longest, StepBounds const& bounds);

}  // namespace tessera::spectral

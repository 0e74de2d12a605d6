// SPDX-License-Identifier: MIT
// Time as a datum: how long a step is depends on what the tiles have computed, so who submits does
// not know it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "tasks/submit.hpp"

namespace tessera::spectral {

/// Of a step: when it begins, and how long it is.
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
};

/// Longest stable steps of packs times their speeds, tile by tile.
using SpeedLimits = std::vector<std::vector<double>>;

/// Sets the clock of a step. `before`: of the step before, and `speeds`: of each tile what its
/// packs allow (StageData::speeds), on a core. Without `before` the step begins at `time`. The rule
/// and the limits outlive the task.
void submit_clock(DataHandle const& clock, DataHandle const* before, double time,
                  std::span<DataHandle const* const> speeds, ClockRule const& rule,
                  SpeedLimits const& limits);

}  // namespace tessera::spectral

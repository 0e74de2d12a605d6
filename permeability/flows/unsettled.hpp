// SPDX-License-Identifier: MIT
// What there is to say of a flow that has not settled.
#pragma once

#include <span>
#include <string>

#include "base/storage.hpp"
#include "permeability/flows/permeability_run.hpp"

namespace tessera {

/// How the permeability moved in the last quarter of a flow's time.
struct SeriesEnd {
  double range = 0;      ///< relative to the last value; infinity while there are no three values
  int turns = 0;         ///< how often it turned back
  double imbalance = 0;  ///< of drag and driving force, relative, of the last value
};

/// Values at equal distances in time or not.
SeriesEnd end_of(std::span<PermeabilityPoint const> history);

/// Why a flow has not settled to `tolerance`, as far as its series tells, and what may help:
/// rounding (hardly moves any more), unsteady (swings), too few steps (still on its way).
std::string why_unsettled(std::span<PermeabilityPoint const> history, double tolerance,
                          Precision precision);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Figures of a run that has to share its workers with a competitor from its middle on, computed
// from marks taken during the run.
#pragma once

#include <vector>

#include "graph/balance/balancer.hpp"

namespace tessera {

/// What the workers had done by a moment of the run.
struct DriftMark {
  double time_s = 0;
  std::vector<WorkClock::Use> uses;  ///< of each worker
};

/// Million node updates a second between two marks.
double mflups_between(DriftMark const& from, DriftMark const& to);

/// Million node updates a second if nobody ever waited: the domains' speeds while they were busy,
/// summed.
double busy_mflups(std::vector<Domain> const& domains, DriftMark const& from, DriftMark const& to);

/// Share of one domain in the busy speeds of all.
double part_of_speed(std::vector<Domain> const& domains, std::size_t which, DriftMark const& from,
                     DriftMark const& to);

/// Busy time of the busiest domain over the mean, less 1.
double busy_imbalance(std::vector<Domain> const& domains, DriftMark const& from,
                      DriftMark const& to);

/// Best speed possible once the domain that has the share `part` of the speed `before` keeps only
/// the share `left` of its own.
constexpr double ideal_rate(double before, double part, double left) {
  return before * (1 - part * (1 - left));
}

}  // namespace tessera

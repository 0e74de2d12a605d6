// SPDX-License-Identifier: MIT
// What a run with a competitor from half of it on comes to. Numbers in, numbers out.
#pragma once

#include <vector>

#include "graph/balance/balancer.hpp"

namespace tessera {

/// What the workers had done by then.
struct DriftMark {
  double time_s = 0;
  std::vector<WorkClock::Use> uses;  ///< of each worker
};

/// Million node updates a second between two marks.
double mflups_between(DriftMark const& from, DriftMark const& to);

/// The same, if nobody ever waited: the sum of the domains' speeds while they were busy.
double busy_mflups(std::vector<Domain> const& domains, DriftMark const& from, DriftMark const& to);

/// The part that one domain has in the speed of all, while they were busy.
double part_of_speed(std::vector<Domain> const& domains, std::size_t which, DriftMark const& from,
                     DriftMark const& to);

/// Busy time of the busiest domain over the mean, less 1.
double busy_imbalance(std::vector<Domain> const& domains, DriftMark const& from,
                      DriftMark const& to);

/// What can be reached when of a part of the speed `before` only so much is left.
constexpr double ideal_rate(double before, double part, double left) {
  return before * (1 - part * (1 - left));
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Load balancing over several processes: at steps that all ranks know they gather what each has
// found of its domains, and then all decide by the same numbers. No single rank's clock decides.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "graph/balance/balancer.hpp"
#include "graph/tile_method.hpp"

namespace tessera {

class RankMeeting {
 public:
  /// Whether the ranks gather after this step.
  bool due(std::int64_t step) const { return step >= next_; }
  /// Notes that the first step of the flow is not 0.
  void begin_at(std::int64_t step);
  /// All ranks, when it is due: gathers the findings of all, rank by rank; nothing as long as one
  /// rank has none. Moves are the own ones.
  BalanceFindings findings_of_all(std::int64_t step, BalanceFindings own);

 private:
  using Clock = std::chrono::steady_clock;
  /// Equal to StepLimits::between_meetings (run/flow_loop.hpp), so that a rank waits for the others
  /// once for both.
  static constexpr std::int64_t least_steps = 20;

  std::int64_t last_ = 0;
  std::int64_t next_ = least_steps;
  Clock::time_point met_ = Clock::now();
};

/// The steps until the ranks gather again: a multiple of the `least`, by which a fifth of a second
/// has passed if so many steps (1 at least) took `seconds`, and 1000 at most.
std::int64_t steps_until_meeting(std::int64_t least, std::int64_t steps, double seconds);

/// Shares of the ranks, and of the domains of this rank, from the shares of all domains, `loads`.
NewShares shares_by_rank(std::vector<double> const& shares, std::vector<DomainLoad> const& loads,
                         int rank, int ranks);

}  // namespace tessera

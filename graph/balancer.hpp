// SPDX-License-Identifier: MIT
// Watches how fast the domains are while a flow runs, and says which tiles to move.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/balance.hpp"
#include "graph/balance_history.hpp"
#include "graph/domain.hpp"
#include "graph/work_clock.hpp"

namespace tessera {

/// What balancing found and did.
struct BalanceReport {
  BalanceHistory history;
  std::int64_t moves = 0;
  std::size_t bytes_moved = 0;
};

/// The speeds of domains between two readings of the clock; 0 where nobody has done anything. Of
/// the time in tasks only: a domain that had to wait for another is as fast as it was while it
/// worked.
std::vector<DomainSpeed> domain_speeds(std::vector<Domain> const& domains,
                                       std::vector<WorkClock::Use> const& before,
                                       std::vector<WorkClock::Use> const& after);

class Balancer {
 public:
  explicit Balancer(std::size_t workers) : clock_(workers), used_before_(workers) {}

  WorkClock& clock() { return clock_; }
  WorkClock const& clock() const { return clock_; }
  BalanceReport const& report() const { return report_; }

  /// Whether it is time for the next look: a few in a second.
  bool due() const;
  /// Takes the speeds since the last look; none are known, and nothing moves, before each domain
  /// has ended some tasks.
  std::vector<Move> look(std::int64_t step, std::vector<Domain> const& domains,
                         std::vector<TileLoad> const& loads);
  void note_move(std::size_t bytes);

 private:
  WorkClock clock_;
  std::vector<WorkClock::Use> used_before_;  ///< at the last look
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point looked_ = began_;
  BalanceReport report_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Measures how fast the domains are while a flow runs, and decides which tiles to move, or to
// repartition.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/balance/balance.hpp"
#include "graph/balance/balance_history.hpp"
#include "graph/balance/idle_domains.hpp"
#include "graph/balance/new_cut.hpp"
#include "graph/balance/work_clock.hpp"
#include "graph/domain.hpp"

namespace tessera {

/// What balancing found and did.
struct BalanceReport {
  BalanceHistory history;
  std::int64_t moves = 0;
  std::size_t bytes_moved = 0;
  std::int64_t cuts = 0;      ///< repartitionings so far
  double cut_seconds = 0;     ///< for which the flow stopped for them; slowest process
  std::size_t bytes_cut = 0;  ///< of populations that went from old tiles to new ones
  std::string cut_refused;    ///< why repartitioning was not possible, or not again
};

/// What a look has found; nothing where the speeds are not known yet.
struct BalanceFindings {
  std::vector<Move> moves;        ///< of the own tiles
  std::vector<DomainLoad> loads;  ///< before these moves
  std::vector<DomainLoad> moved;  ///< after these moves
};

/// The speeds of domains between two readings of the clock; 0 for a domain that has done no work.
/// Only time in tasks counts: a domain that had to wait for another is as fast as it was while it
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
  BalanceFindings look(std::int64_t step, std::vector<Domain> const& domains,
                       std::vector<TileLoad> const& loads);
  /// Keeps the findings about the domains of all processes. Returns their shares in a new cut, or
  /// nothing if none is needed.
  std::vector<double> judge(std::int64_t step, BalanceFindings const& found);
  void note_move(std::size_t bytes);
  /// Notes that the first step of the flow is not 0.
  void begin_at(std::int64_t step) { cut_at_ = step; }
  /// Notes that there are new tiles from this step on, for which the flow stopped for so long.
  void note_cut(std::int64_t step, double seconds, std::size_t bytes);
  /// Notes why a new cut cannot be made.
  void note_refusal(std::string const& why) { report_.cut_refused = why; }

 private:
  WorkClock clock_;
  std::vector<WorkClock::Use> used_before_;  ///< at the last look
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point looked_ = began_;
  std::int64_t cut_at_ = 0;  ///< step from which on the tiles are what they are
  NewCutWatch new_cut_;
  IdleDomains idle_;
  BalanceReport report_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Heartbeats of ranks, and what follows from heartbeats that stop or show no progress. Pure data:
// base/ranks/rank_watch.hpp sends and receives them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// The heartbeat of a rank.
struct RankSign {
  std::int64_t steps = 0;        ///< that it has taken
  std::int64_t work = 0;         ///< grows while the rank computes, reads or writes
  std::int32_t is_stepping = 0;  ///< takes steps, or waits for ranks that should
  std::int32_t is_waiting = 0;   ///< for other ranks
  std::int32_t is_free = 0;      ///< may take as long as it likes
  std::int32_t leaves = 0;       ///< sends no more heartbeats
};

class RankSigns {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step may take this many times as long as the longest one so far; other work, as the limit.
  static constexpr double patience = 10;

  /// `limit`: without a heartbeat, in seconds. `names`: of all ranks, for messages.
  RankSigns(double limit, std::vector<std::string> names, Clock::time_point now);

  void hear(std::size_t rank, RankSign const& sign, Clock::time_point now);
  /// Every rank counts as heard from now.
  void start_anew(Clock::time_point now);

  RankSign const& last(std::size_t rank) const { return seen_[rank].last; }
  /// A line, if this rank's last heartbeat is older than the limit and this many seconds.
  std::optional<std::string> silence_of(std::size_t rank, double more, Clock::time_point now) const;
  /// A line, if all ranks that have not ended send heartbeats but none makes progress: in steps,
  /// for the limit or ten times the longest step; elsewhere, without work of any, for ten limits.
  std::optional<std::string> standstill(Clock::time_point now);

 private:
  struct Seen {
    RankSign last;
    Clock::time_point heard;
  };

  /// A counter, and since when it has not grown.
  struct Growth {
    std::int64_t value = 0;
    Clock::time_point since;
  };

  std::optional<std::string> stuck_in_steps(Clock::time_point now);
  std::optional<std::string> stuck_elsewhere(Clock::time_point now);
  bool all_step() const;
  /// Names of the ranks that do not wait for others; of all ranks, if all of them wait.
  std::string names_of_the_idle() const;

  double limit_;
  std::vector<std::string> names_;
  std::vector<Seen> seen_;
  Growth steps_;
  Growth work_;
  double longest_step_ = 0;  ///< seconds
};

}  // namespace tessera

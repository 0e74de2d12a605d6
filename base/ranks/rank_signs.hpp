// SPDX-License-Identifier: MIT
// What ranks say of themselves, and what is to be thought of those that say it no more, or always
// the same.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// What a rank says of itself every while.
struct RankSign {
  std::int64_t steps = 0;        ///< that it has taken
  std::int64_t work = 0;         ///< grows while it computes, reads or writes
  std::int32_t is_stepping = 0;  ///< is at its steps, or waits for others that should be
  std::int32_t is_waiting = 0;   ///< for others
  std::int32_t is_free = 0;      ///< may take as long as it likes
  std::int32_t leaves = 0;       ///< has nothing more to say
};

class RankSigns {
 public:
  using Clock = std::chrono::steady_clock;

  /// Nothing else than steps may take so many times as long as a step.
  static constexpr double patience = 10;

  /// `limit`: of silence, in seconds. Names of all ranks, as people know them.
  RankSigns(double limit, std::vector<std::string> names, Clock::time_point now);

  void hear(std::size_t rank, RankSign const& sign, Clock::time_point now);
  /// Nobody has been silent so far.
  void start_anew(Clock::time_point now);

  RankSign const& last(std::size_t rank) const { return seen_[rank].last; }
  /// A line, if this rank has been silent for longer than the limit and so many seconds.
  std::optional<std::string> silence_of(std::size_t rank, double more, Clock::time_point now) const;
  /// A line, if all that have not left live, but nobody comes on: at steps for the limit or ten
  /// times the longest step, elsewhere for ten times as long without work of anybody.
  std::optional<std::string> standstill(Clock::time_point now);

 private:
  struct Seen {
    RankSign last;
    Clock::time_point heard;
  };

  /// A number that grows, and since when it has not.
  struct Growth {
    std::int64_t value = 0;
    Clock::time_point since;
  };

  std::optional<std::string> stuck_in_steps(Clock::time_point now);
  std::optional<std::string> stuck_elsewhere(Clock::time_point now);
  bool all_step() const;
  /// Of those that do not wait; of all, if they all do.
  std::string names_of_the_idle() const;

  double limit_;
  std::vector<std::string> names_;
  std::vector<Seen> seen_;
  Growth steps_;
  Growth work_;
  double longest_step_ = 0;  ///< seconds
};

}  // namespace tessera

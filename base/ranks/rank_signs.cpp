// SPDX-License-Identifier: MIT
#include "base/ranks/rank_signs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

double seconds(RankSigns::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

RankSigns::RankSigns(double limit, std::vector<std::string> names, Clock::time_point now)
    : limit_(limit), names_(std::move(names)), seen_(names_.size()) {
  start_anew(now);
}

void RankSigns::hear(std::size_t rank, RankSign const& sign, Clock::time_point now) {
  seen_[rank] = {sign, now};
}

void RankSigns::start_anew(Clock::time_point now) {
  for (Seen& seen : seen_) seen.heard = now;
  steps_.since = work_.since = now;
}

std::optional<std::string> RankSigns::silence_of(std::size_t rank, double more,
                                                 Clock::time_point now) const {
  double const silent = seconds(now - seen_[rank].heard);
  if (silent <= limit_ + more) return std::nullopt;
  return fmt::format("{} has been silent for {:.0f} s: it is stopped, or its host is gone",
                     names_[rank], silent);
}

std::optional<std::string> RankSigns::standstill(Clock::time_point now) {
  auto const line = stuck_in_steps(now);
  auto const elsewhere = stuck_elsewhere(now);
  return line ? line : elsewhere;
}

bool RankSigns::all_step() const {
  return std::ranges::all_of(seen_, [](Seen const& seen) { return seen.last.is_stepping != 0; });
}

std::optional<std::string> RankSigns::stuck_in_steps(Clock::time_point now) {
  std::int64_t sum = 0;
  for (Seen const& seen : seen_) sum += seen.last.steps;
  bool const all = all_step();
  double const still = seconds(now - steps_.since);
  if (sum != steps_.value || !all) {
    // Where steps take long, so does what is no step.
    if (all) longest_step_ = std::max(longest_step_, still);
    steps_ = {sum, now};
    return std::nullopt;
  }
  if (still < std::max(limit_, patience * longest_step_)) return std::nullopt;
  auto const last =
      std::ranges::min_element(seen_, {}, [](Seen const& seen) { return seen.last.steps; });
  return fmt::format("{} hangs: no process has come on for {:.0f} s, and it is least far",
                     names_[static_cast<std::size_t>(last - seen_.begin())], still);
}

std::optional<std::string> RankSigns::stuck_elsewhere(Clock::time_point now) {
  std::int64_t sum = 0;
  bool any_free = false;
  for (Seen const& seen : seen_) {
    sum += seen.last.work + seen.last.steps;
    any_free = any_free || seen.last.is_free != 0;
  }
  if (sum != work_.value || any_free || all_step()) {
    work_ = {sum, now};
    return std::nullopt;
  }
  double const still = seconds(now - work_.since);
  if (still < patience * std::max(limit_, longest_step_)) return std::nullopt;
  return fmt::format("{} hangs: no process has computed, read or written for {:.0f} s",
                     names_of_the_idle(), still);
}

std::string RankSigns::names_of_the_idle() const {
  std::vector<std::string> idle, there;
  for (std::size_t r = 0; r < seen_.size(); ++r) {
    if (seen_[r].last.leaves != 0) continue;
    there.push_back(names_[r]);
    if (seen_[r].last.is_waiting == 0) idle.push_back(names_[r]);
  }
  return fmt::format("{}", fmt::join(idle.empty() ? there : idle, " or "));
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/ranks/start_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/ranks/host_name.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

using WatchClock = std::chrono::steady_clock;
using WatchSeconds = std::chrono::duration<double>;

constexpr int status_of_failure = 1;

}  // namespace

StartWatch::StartWatch(double limit_seconds, std::string waits_for,
                       std::function<void(std::string const& line)> cry)
    : limit_(limit_seconds), waits_for_(std::move(waits_for)), cry_(std::move(cry)) {
  std::optional<int> const number = Ranks::rank_of_launcher();
  if (!number || limit_ <= 0) return;
  number_ = *number;
  thread_ = std::thread([this] { watch(); });
}

StartWatch::~StartWatch() {
  {
    std::lock_guard const lock(mutex_);
    over_ = true;
  }
  ends_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StartWatch::watch() {
  double const period = std::min(limit_ / 20, 5.0);
  // The lowest one that lives speaks, and its end is that of the others.
  double const patience = limit_ + 4 * period * number_;
  double waited = 0;
  auto woken = WatchClock::now();
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, WatchSeconds(period), [this] { return over_; })) {
    auto const now = WatchClock::now();
    double const since = WatchSeconds(now - woken).count();
    woken = now;
    // Who has been asleep himself, as after Ctrl-Z, knows nothing of the others.
    waited = since > limit_ / 2 ? 0 : waited + since;
    if (waited < patience) continue;
    cry_(fmt::format(
        "rank {} ({}) has waited {:.0f} s for {}: one of them is stopped, or its host is gone",
        number_, host_name(), waited, waits_for_));
    std::_Exit(status_of_failure);
  }
}

}  // namespace tessera

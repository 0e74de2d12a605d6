// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "codelets/spectral/measure.hpp"

namespace tessera::spectral {

/// Measurements by step, delivered by the workers and taken by the thread that waits for them.
class GasBoard {
 public:
  void put(GasSums const& measured) {
    {
      std::lock_guard const lock(mutex_);
      by_step_.insert_or_assign(measured.step, measured);
    }
    arrived_.notify_all();
  }
  /// Waits for the measurement of a step that has been submitted, and takes it off the board.
  GasSums take(std::int64_t step) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return by_step_.contains(step); });
    return by_step_.extract(step).mapped();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::int64_t, GasSums> by_step_;
};

}  // namespace tessera::spectral

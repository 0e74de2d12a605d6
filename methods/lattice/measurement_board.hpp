// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "codelets/lattice/measure.hpp"

namespace tessera {

/// Measurements by step, delivered by the workers and taken by the thread that waits for them.
class MeasurementBoard {
 public:
  void put(MeasuredSums sums);
  /// Waits for the measurement of a step that has been submitted, and takes it off the board.
  MeasuredSums take(std::int64_t step);

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::int64_t, MeasuredSums> measurements_;
};

}  // namespace tessera

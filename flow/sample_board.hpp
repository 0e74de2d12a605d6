// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "codelets/measure.hpp"

namespace tessera {

/// Samples by step, handed from the workers to whoever asks.
class SampleBoard {
 public:
  void put(Sample const& sample);
  /// Waits for the sample of a step that has been submitted, and takes it off the board.
  Sample take(std::int64_t step);

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::int64_t, Sample> samples_;
};

}  // namespace tessera

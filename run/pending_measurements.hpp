// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "run/run_end.hpp"

namespace tessera {

/// Steps whose measurements have been submitted and not been read. A run reads a measurement a
/// fixed number of steps after it was submitted: which step ends the run must not depend on timing.
class PendingMeasurements {
 public:
  void add(std::int64_t step) { steps_.push_back(step); }
  bool has_newest(std::int64_t step) const { return !steps_.empty() && steps_.back() == step; }

  /// Calls `take` with the steps up to `last`, oldest first. It reads the measurement of a step and
  /// returns whether the flow is still one that can be; if not, the run has diverged.
  template <class Take>
  std::optional<RunEnd> take_until(std::int64_t last, Take take) {
    while (!steps_.empty() && steps_.front() <= last) {
      std::int64_t const step = steps_.front();
      steps_.pop_front();
      if (!take(step)) return RunEnd::diverged;
    }
    return std::nullopt;
  }

 private:
  std::deque<std::int64_t> steps_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "flow/measurement_board.hpp"

namespace tessera {

void MeasurementBoard::put(Measurement const& measurement) {
  {
    std::lock_guard const lock(mutex_);
    measurements_[measurement.step] = measurement;
  }
  arrived_.notify_all();
}

Measurement MeasurementBoard::take(std::int64_t step) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return measurements_.contains(step); });
  return measurements_.extract(step).mapped();
}

}  // namespace tessera

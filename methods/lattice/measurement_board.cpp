// SPDX-License-Identifier: MIT
#include "methods/lattice/measurement_board.hpp"

#include <utility>

namespace tessera {

void MeasurementBoard::put(MeasuredSums sums) {
  {
    std::lock_guard const lock(mutex_);
    measurements_.insert_or_assign(sums.step, std::move(sums));
  }
  arrived_.notify_all();
}

MeasuredSums MeasurementBoard::take(std::int64_t step) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return measurements_.contains(step); });
  return measurements_.extract(step).mapped();
}

}  // namespace tessera

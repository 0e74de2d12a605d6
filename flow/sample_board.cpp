// SPDX-License-Identifier: MIT
#include "flow/sample_board.hpp"

namespace tessera {

void SampleBoard::put(Sample const& sample) {
  {
    std::lock_guard const lock(mutex_);
    samples_[sample.step] = sample;
  }
  arrived_.notify_all();
}

Sample SampleBoard::take(std::int64_t step) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return samples_.contains(step); });
  return samples_.extract(step).mapped();
}

}  // namespace tessera

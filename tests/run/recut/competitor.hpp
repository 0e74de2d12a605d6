// SPDX-License-Identifier: MIT
// Somebody else at work where a process computes, as on a machine that is shared.
#pragma once

#include <atomic>
#include <thread>

namespace tessera::test {

/// While it lives StarPU's workers of this process share one core with a thread that computes all
/// the time, and has 68 times their weight (nice 19): whatever else the machine does, they are
/// slow.
class Competitor {
 public:
  Competitor();
  ~Competitor();
  Competitor(Competitor const&) = delete;
  Competitor& operator=(Competitor const&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace tessera::test

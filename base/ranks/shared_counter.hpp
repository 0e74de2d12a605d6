// SPDX-License-Identifier: MIT
// Numbers that the ranks take one after the other: a faster rank takes more of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>

namespace tessera {

class SharedCounter {
 public:
  /// Collective: rank 0 hands out 0 … count - 1, on a thread of its own where there are other
  /// ranks.
  explicit SharedCounter(std::int64_t count);
  /// Collective: waits until all ranks have done with it. Numbers that nobody took are lost.
  ~SharedCounter();
  SharedCounter(SharedCounter const&) = delete;
  SharedCounter& operator=(SharedCounter const&) = delete;

  /// A number that no other call on any rank has got; nothing once there are none left. One thread
  /// of a rank calls it.
  std::optional<std::int64_t> take();

 private:
  static constexpr std::int64_t none_left = -1;

  /// A number of rank 0's, or none_left.
  static std::int64_t ask_first();
  void hand_out();

  std::int64_t count_;
  std::atomic<std::int64_t> next_ = 0;  ///< on rank 0
  bool is_at_end_ = false;
  std::thread handing_out_;
};

}  // namespace tessera

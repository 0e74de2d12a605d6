// SPDX-License-Identifier: MIT
// The one thread that analyses frames, beside the flow, and what happens if it falls behind
// (back-pressure).
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace tessera {

/// What happens if both sets of buffers are still to be read when the next frame is due.
enum class WhenBehind : std::uint8_t {
  wait,  ///< the flow waits
  skip   ///< the frame is left out
};

/// Runs jobs one after the other on a thread of its own: ParaView requires all calls from one
/// thread, and a frame may take far longer than a step. Two sets of buffers have the data of the
/// next jobs. If the thread crashes (insitu/crash_guard.hpp), no thread waits for it any more.
class AnalysisThread {
 public:
  explicit AnalysisThread(WhenBehind when_behind);
  /// Waits for the jobs.
  ~AnalysisThread();
  AnalysisThread(AnalysisThread const&) = delete;
  AnalysisThread& operator=(AnalysisThread const&) = delete;

  /// A free set of buffers, 0 or 1; nothing if the frame is to be left out, or the thread has
  /// crashed.
  std::optional<std::size_t> claim();
  void start(std::function<void()> job);
  /// Called from a job when it has read the set.
  void release(std::size_t set);
  /// Waits for all jobs; throws what one of them has thrown.
  void wait();

  std::int64_t dropped() const { return dropped_; }
  std::int64_t waited() const { return waited_; }
  double waited_s() const { return waited_s_; }

 private:
  void run();
  /// Waits until the condition holds, or the thread has crashed.
  template <class Condition>
  void wait_until(std::unique_lock<std::mutex>& lock, Condition const& is_so);

  WhenBehind when_behind_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::array<bool, 2> taken_{};
  std::exception_ptr failure_;
  bool busy_ = false;
  bool over_ = false;
  bool gone_ = false;  ///< the thread has done its last job
  std::int64_t dropped_ = 0;
  std::int64_t waited_ = 0;
  double waited_s_ = 0;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace tessera

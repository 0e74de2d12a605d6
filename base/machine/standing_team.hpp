// SPDX-License-Identifier: MIT
// Threads that wait between passes: starting a thread takes tens of microseconds, waking it a few.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace tessera {

class StandingTeam {
 public:
  /// `threads`: their number, with the thread that calls run().
  explicit StandingTeam(int threads) : threads_(threads) {
    for (int t = 1; t < threads_; ++t) team_.emplace_back([this, t] { wait_for_work(t); });
  }
  StandingTeam(StandingTeam const&) = delete;
  StandingTeam& operator=(StandingTeam const&) = delete;
  ~StandingTeam() {
    work_ = nullptr;
    start();
  }

  int threads() const { return threads_; }

  /// Calls work(thread), which must not throw, on each thread, and returns when all are done.
  void run(std::function<void(int)> const& work) {
    work_ = &work;
    busy_.store(threads_ - 1);
    start();
    work(0);
    for (int busy = busy_.load(); busy > 0; busy = busy_.load()) busy_.wait(busy);
  }

 private:
  void start() {
    ++round_;
    round_.notify_all();
  }
  void wait_for_work(int thread) {
    for (unsigned seen = 0;;) {
      round_.wait(seen);
      ++seen;
      if (work_ == nullptr) return;
      (*work_)(thread);
      if (busy_.fetch_sub(1) == 1) busy_.notify_all();
    }
  }

  int threads_;
  std::function<void(int)> const* work_ = nullptr;
  std::atomic<unsigned> round_{0};
  std::atomic<int> busy_{0};
  std::vector<std::jthread> team_;
};

}  // namespace tessera

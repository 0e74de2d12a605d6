// SPDX-License-Identifier: MIT
// Threads that wait between passes: starting a thread takes tens of microseconds, waking it a few.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace tessera {

/// Work that several threads do together, round by round; one of them leads.
class Rounds {
 public:
  explicit Rounds(int threads) : threads_(threads) {}
  ~Rounds() = default;
  Rounds(Rounds const&) = delete;
  Rounds& operator=(Rounds const&) = delete;

  /// Number of threads, the leader among them.
  int threads() const { return threads_; }

  /// The leader, which is thread 0: calls work(thread), which must not throw, on each thread, and
  /// returns when all are done.
  void run(std::function<void(int)> const& work) {
    work_ = &work;
    busy_.store(threads_ - 1);
    begin_round();
    work(0);
    for (int busy = busy_.load(); busy > 0; busy = busy_.load()) busy_.wait(busy);
  }
  /// The leader: lets the others return from take_part(). There are no rounds after that.
  void dismiss() {
    work_ = nullptr;
    begin_round();
  }

  /// Another thread, by its number: takes part in all rounds, those too that began before this
  /// call.
  void take_part(int thread) {
    for (unsigned seen = 0;;) {
      round_.wait(seen);
      ++seen;
      if (work_ == nullptr) return;
      (*work_)(thread);
      if (busy_.fetch_sub(1) == 1) busy_.notify_all();
    }
  }

 private:
  void begin_round() {
    ++round_;
    round_.notify_all();
  }

  int threads_;
  std::function<void(int)> const* work_ = nullptr;
  std::atomic<unsigned> round_{0};
  std::atomic<int> busy_{0};
};

class StandingTeam {
 public:
  /// `threads`: their number, with the thread that calls run().
  explicit StandingTeam(int threads) : rounds_(threads) {
    for (int t = 1; t < threads; ++t) team_.emplace_back([this, t] { rounds_.take_part(t); });
  }
  StandingTeam(StandingTeam const&) = delete;
  StandingTeam& operator=(StandingTeam const&) = delete;
  ~StandingTeam() { rounds_.dismiss(); }

  int threads() const { return rounds_.threads(); }
  /// As Rounds::run().
  void run(std::function<void(int)> const& work) { rounds_.run(work); }

 private:
  Rounds rounds_;
  std::vector<std::jthread> team_;
};

}  // namespace tessera

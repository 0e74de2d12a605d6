// SPDX-License-Identifier: MIT
// Work on a few threads, which are started for it: work of milliseconds and more, such as reading
// an image. A pass of the solver without steps takes microseconds and has threads that wait for it
// (base/machine/standing_team.hpp). Steps are tasks on StarPU's workers.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tessera {

/// Runs work(thread) on `threads` threads and returns the seconds until all are done.
template <class Work>
double time_threads(unsigned threads, Work&& work) {
  auto const start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> team;
    for (unsigned t = 1; t < threads; ++t) team.emplace_back([&work, t] { work(t); });
    work(0U);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Limits, while an object exists, the threads of this thread's parallel work: other threads use
/// the other processors.
class ThreadLimit {
 public:
  explicit ThreadLimit(unsigned threads) : before_(std::exchange(most(), threads)) {}
  ~ThreadLimit() { most() = before_; }
  ThreadLimit(ThreadLimit const&) = delete;
  ThreadLimit& operator=(ThreadLimit const&) = delete;

  static unsigned& most() {
    thread_local unsigned threads = std::numeric_limits<unsigned>::max();
    return threads;
  }

 private:
  unsigned before_;
};

/// Number of threads that this one may use: the processors that the process is bound to, up to
/// ThreadLimit.
inline unsigned threads_allowed() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return std::min(std::max(std::thread::hardware_concurrency(), 1U), ThreadLimit::most());
  return std::min(static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1)), ThreadLimit::most());
}

/// Runs work(thread, i) for all i of [0, count), in any order, on so many threads. The first
/// exception is thrown again when all have ended.
template <class Work>
void by_threads(unsigned threads, std::int64_t count, Work&& work) {
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failed;
  time_threads(threads, [&](unsigned thread) {
    try {
      for (std::int64_t i = next++; i < count; i = next++) work(thread, i);
    } catch (...) {
      next = count;
      std::lock_guard const lock(mutex);
      if (!failed) failed = std::current_exception();
    }
  });
  if (failed) std::rethrow_exception(failed);
}

/// Runs work(i) for all i of [0, count), in any order, on threads_allowed() threads.
template <class Work>
void in_parallel(std::int64_t count, Work&& work) {
  auto const threads = std::clamp<std::int64_t>(count, 1, threads_allowed());
  by_threads(static_cast<unsigned>(threads), count, [&work](unsigned, std::int64_t i) { work(i); });
}

/// Runs work(begin, end) on ranges that cover [0, count), of at least `least` each, on
/// threads_allowed() threads.
template <class Work>
void in_parallel_ranges(std::int64_t count, std::int64_t least, Work&& work) {
  std::int64_t const parts =
      std::clamp<std::int64_t>(count / least, 1, 4 * std::int64_t{threads_allowed()});
  in_parallel(parts,
              [&](std::int64_t part) { work(count * part / parts, count * (part + 1) / parts); });
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "steady/cores.hpp"

namespace tessera::stokes {
namespace {

using Part = std::function<void(std::int64_t, std::int64_t)>;

/// Threads that sleep between passes: a pass on a few million nodes takes milliseconds, waking them
/// microseconds.
class Threads {
 public:
  explicit Threads(std::span<StokesUse> uses)
      : uses_(uses), threads_(static_cast<int>(uses.size())) {
    for (int t = 1; t < threads_; ++t) team_.emplace_back([this, t] { wait_for_work(t); });
  }
  Threads(Threads const&) = delete;
  Threads& operator=(Threads const&) = delete;
  ~Threads() {
    part_ = nullptr;
    start();
  }

  void run(std::int64_t count, Part const& part) {
    if (threads_ == 1) return run_counted(uses_.front(), part, 0, count);
    part_ = &part;
    count_ = count;
    busy_.store(threads_ - 1);
    start();
    take(0);
    for (int busy = busy_.load(); busy > 0; busy = busy_.load()) busy_.wait(busy);
  }

 private:
  void start() {
    ++round_;
    round_.notify_all();
  }
  void take(int thread) {
    std::int64_t const begin = count_ * thread / threads_;
    std::int64_t const end = count_ * (thread + 1) / threads_;
    if (begin < end) run_counted(uses_[static_cast<std::size_t>(thread)], *part_, begin, end);
  }
  void wait_for_work(int thread) {
    for (unsigned seen = 0;;) {
      round_.wait(seen);
      ++seen;
      if (part_ == nullptr) return;
      take(thread);
      if (busy_.fetch_sub(1) == 1) busy_.notify_all();
    }
  }

  std::span<StokesUse> uses_;
  int threads_;
  Part const* part_ = nullptr;
  std::int64_t count_ = 0;
  std::atomic<unsigned> round_{0};
  std::atomic<int> busy_{0};
  std::vector<std::jthread> team_;
};

}  // namespace

Instructions best_instructions() {
#ifdef __x86_64__
  __builtin_cpu_init();
  bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd"))
    return Instructions::avx512;
  if (avx2) return Instructions::avx2;
#endif
  return Instructions::generic;
}

RangeRunner make_thread_runner(std::span<StokesUse> uses) {
  auto team = std::make_shared<Threads>(uses);
  return [team](std::int64_t count, Part const& part) { team->run(count, part); };
}

}  // namespace tessera::stokes

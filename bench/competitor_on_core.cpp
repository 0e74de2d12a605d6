// SPDX-License-Identifier: MIT
#include <sched.h>

#include <atomic>
#include <thread>

#include "bench/competitor.hpp"

namespace tessera {
namespace {

class CompetitorOnCore : public Competitor {
 public:
  explicit CompetitorOnCore(int cpu) : cpu_(cpu) {}

  void start() override {
    thread_ = std::jthread([cpu = cpu_](std::stop_token const& stop) { spin(cpu, stop); });
  }

 private:
  static void spin(int cpu, std::stop_token const& stop) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(cpu), &set);
    sched_setaffinity(0, sizeof set, &set);  // of this thread
    std::atomic<double> sink{1};             // keeps the compiler from leaving it out
    while (!stop.stop_requested()) {
      double x = sink;
      for (int i = 0; i < 10'000; ++i) x = 0.5 * (x + 2 / x);
      sink = x;
    }
  }

  int cpu_;
  std::jthread thread_;
};

}  // namespace

std::unique_ptr<Competitor> competitor_on_core(int cpu) {
  return std::make_unique<CompetitorOnCore>(cpu);
}

}  // namespace tessera

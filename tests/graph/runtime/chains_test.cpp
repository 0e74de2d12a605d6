// SPDX-License-Identifier: MIT
#include "graph/chains.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "graph/runtime/runtime.hpp"

namespace tessera {
namespace {

std::atomic<bool> const go_on{false};

/// Counts what runs, and sees that nothing runs before it should.
class Counted : public Chain {
 public:
  void prepare() override { ++prepared; }
  void compute(WorkerKind kind) override {
    EXPECT_EQ(prepared, 1);
    on_gpu = kind == WorkerKind::gpu;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++computed;
    if (fails) throw std::runtime_error("no such luck");
  }
  double seconds_to_prepare() const override { return 1e-5; }
  double seconds_to_compute(WorkerKind) const override { return 1e-3; }

  std::atomic<int> prepared = 0;
  std::atomic<int> computed = 0;
  std::atomic<bool> on_gpu = false;
  bool fails = false;
};

struct Chains {
  explicit Chains(std::size_t count) : all(count) {
    for (Counted& chain : all) pointers.push_back(&chain);
  }
  int computed() const {
    int sum = 0;
    for (Counted const& chain : all) sum += chain.computed;
    return sum;
  }
  /// Runs them one after the other.
  void run(ChainOptions const& options, std::atomic<bool> const& stop,
           std::function<void(std::size_t)> const& ended) {
    std::size_t next = 0;
    run_chains(
        pointers, [&] { return next < all.size() ? std::optional(next++) : std::nullopt; }, options,
        stop, ended);
  }

  std::vector<Counted> all;
  std::vector<Chain*> pointers;
};

TEST(Chains, AllEndAndAreReportedInTheThreadThatCalled) {
  for (char const* const scheduler : {"eager", "dmdas", "lws"}) {
    Runtime const runtime(scheduler, 2);
    Chains chains(40);
    std::set<std::size_t> ended;
    auto const here = std::this_thread::get_id();
    chains.run({.in_flight = 5}, go_on, [&](std::size_t c) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      EXPECT_EQ(chains.all[c].computed, 1);
      ended.insert(c);
    });
    EXPECT_EQ(ended.size(), 40U) << scheduler;
    long tasks = 0;
    for (WorkerReport const& worker : Runtime::workers()) tasks += worker.tasks;
    EXPECT_EQ(tasks, 80) << scheduler;
  }
}

TEST(Chains, NoMoreAreInFlightThanAllowed) {
  Runtime const runtime("eager", 2);
  Chains chains(30);
  int ended = 0;
  chains.run({.in_flight = 3}, go_on, [&](std::size_t) {
    ++ended;
    int begun = 0;
    for (Counted const& chain : chains.all) begun += chain.prepared;
    EXPECT_LE(begun, ended + 3);
  });
}

TEST(Chains, NoneBeginsOnceTheyAreStopped) {
  Runtime const runtime("eager", 2);
  Chains chains(100);
  std::atomic<bool> stop = false;
  std::size_t reported = 0;
  chains.run({.in_flight = 2}, stop, [&](std::size_t) {
    if (++reported == 5) stop = true;
  });
  EXPECT_GE(reported, 5U);
  EXPECT_LE(reported, 7U);
  EXPECT_EQ(chains.computed(), static_cast<int>(reported));
}

TEST(Chains, AFailureEndsThemAndIsThrownAgain) {
  Runtime const runtime("eager", 2);
  Chains chains(100);
  chains.all[4].fails = true;
  EXPECT_THROW(chains.run({.in_flight = 2}, go_on, [](std::size_t) {}), std::runtime_error);
  EXPECT_LE(chains.computed(), 10);
  Chains others(100);
  EXPECT_THROW(others.run({.in_flight = 2}, go_on,
                          [](std::size_t) { throw std::runtime_error("not noted"); }),
               std::runtime_error);
  EXPECT_LE(others.computed(), 10);
}

TEST(Chains, RunOnGpusToo) {
  if (Runtime::gpus_present() == 0) GTEST_SKIP() << "no GPU";
  Runtime const runtime("dmdas", 2, 1, {.workers_per_gpu = 3, .bound = false});
  Chains chains(40);
  chains.run({.in_flight = 12, .on_cores = false}, go_on, [](std::size_t) {});
  EXPECT_EQ(chains.computed(), 40);
  for (Counted const& chain : chains.all) EXPECT_TRUE(chain.on_gpu);
}

}  // namespace
}  // namespace tessera

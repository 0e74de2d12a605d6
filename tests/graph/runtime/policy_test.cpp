// SPDX-License-Identifier: MIT
// The policy that is asked for is the one at work, and its workers rest.
#include <gtest/gtest.h>
#include <starpu.h>
#include <starpu_sched_ctx.h>

#include <chrono>
#include <ctime>
#include <string>
#include <thread>

#include "graph/runtime/runtime.hpp"

namespace tessera {
namespace {

/// Seconds that all threads have computed.
double cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(Policy, IsTheOneThatIsAskedForWhateverTheEnvironmentSays) {
  setenv("STARPU_SCHED", "ws", 1);
  for (std::string const scheduler : {"prio", "eager", "lws"}) {
    Runtime const runtime(scheduler, 2);
    EXPECT_EQ(starpu_sched_ctx_get_sched_policy(0)->policy_name, scheduler);
  }
  {
    Runtime const runtime("", 2);
    EXPECT_STREQ(starpu_sched_ctx_get_sched_policy(0)->policy_name, "ws");
  }
  EXPECT_STREQ(std::getenv("STARPU_SCHED"), "ws");
  unsetenv("STARPU_SCHED");
}

TEST(Policy, WorkersWithoutTasksLeaveTheCoresToOthers) {
  for (std::string const scheduler : {"lws", "eager", "dmdas"}) {
    Runtime const runtime(scheduler, 2);
    double const before = cpu_s();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_LT(cpu_s() - before, 0.25) << scheduler << ": of 1 s of two workers";
  }
}

}  // namespace
}  // namespace tessera

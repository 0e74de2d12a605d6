// SPDX-License-Identifier: MIT
// Who computes, and what share of it.
#include "run/plan/worker_plan.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace tessera {
namespace {

constexpr Speeds speeds{.cores = 0.6e9, .gpu = 22e9};
constexpr std::int64_t large = 300'000'000;

TEST(Workers, AreTheGpusAloneUnlessCoresAreAskedFor) {
  Workers const workers = plan_workers({}, 2, large, speeds).workers;
  EXPECT_EQ(workers.gpus, 2U);
  EXPECT_EQ(workers.cores, 1U);
  EXPECT_EQ(workers.cores_share, 0);
}

TEST(Workers, ShareByTheirSpeeds) {
  WorkerPlan const plan = plan_workers({.cores = 12}, 1, large, speeds);
  EXPECT_EQ(plan.workers.cores, 12U);
  EXPECT_NEAR(plan.workers.cores_share, 0.6 / 22.6, 1e-12);
  EXPECT_NE(plan.reason.find("2.7 %"), std::string::npos) << plan.reason;
}

TEST(Workers, IncludeCoresOnlyIfTheyGainMoreThanTheyCost) {
  WorkersAsked const automatic{.cores_if_they_help = true};
  setenv("STARPU_NCPU", "16", 1);
  constexpr Speeds of_a_small_gpu{.cores = 0.6e9, .gpu = 2e9};
  EXPECT_NEAR(plan_workers(automatic, 1, large, of_a_small_gpu).workers.cores_share, 0.6 / 2.6,
              1e-12);
  // 0.3 ms for the exchange, of a step of 13.6 ms.
  WorkerPlan const too_slow = plan_workers(automatic, 1, large, speeds);
  EXPECT_EQ(too_slow.workers.cores_share, 0);
  EXPECT_NE(too_slow.reason.find("would add 2.7 % and cost 2.2 %"), std::string::npos)
      << too_slow.reason;
  WorkerPlan const too_small = plan_workers(automatic, 1, 5'000'000, of_a_small_gpu);
  EXPECT_EQ(too_small.workers.cores_share, 0);
  EXPECT_NE(too_small.reason.find("too few"), std::string::npos) << too_small.reason;
  unsetenv("STARPU_NCPU");
}

TEST(Workers, AreNoMoreGpusThanHaveEnoughToDo) {
  EXPECT_EQ(gpus_that_help(large, 4), 4U);
  EXPECT_EQ(gpus_that_help(7'000'000, 4), 3U);
  EXPECT_EQ(gpus_that_help(600'000, 4), 1U);
  EXPECT_EQ(gpus_that_help(large, 0), 0U);
}

TEST(Workers, LeaveCoresToTheThreadsOfTheGpus) {
  EXPECT_EQ(cores_beside(1, 16), 13U);
  EXPECT_EQ(cores_beside(4, 64), 58U);
  EXPECT_EQ(cores_beside(1, 2), 0U);
}

TEST(Workers, AreAskedForByNumberOrAuto) {
  EXPECT_TRUE(workers_asked(1, "").cores_if_they_help);
  EXPECT_FALSE(workers_asked(1, "0").cores_if_they_help);
  EXPECT_EQ(workers_asked(1, "7").cores, 7);
  EXPECT_TRUE(workers_asked(1, "auto").cores_if_they_help);
  for (char const* const wrong : {"-1", "x", "3x", "1.5"})
    EXPECT_THROW(workers_asked(1, wrong), BadInput) << wrong;
}

}  // namespace
}  // namespace tessera

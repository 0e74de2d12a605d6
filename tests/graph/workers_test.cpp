// SPDX-License-Identifier: MIT
// Who computes, and what share of it.
#include "app/workers.hpp"

#include <gtest/gtest.h>

#include "lattice/errors.hpp"

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

TEST(Workers, DoNotIncludeCoresThatCannotHelp) {
  WorkersAsked const automatic{.cores_if_they_help = true};
  setenv("STARPU_NCPU", "16", 1);
  EXPECT_GT(plan_workers(automatic, 1, large, speeds).workers.cores_share, 0);
  // A step of 0.2 ms; and cores of half a percent of a GPU's speed.
  WorkerPlan const too_short = plan_workers(automatic, 1, 5'000'000, speeds);
  EXPECT_EQ(too_short.workers.cores_share, 0);
  EXPECT_NE(too_short.reason.find("too short"), std::string::npos) << too_short.reason;
  WorkerPlan const too_slow = plan_workers(automatic, 1, large, {.cores = 0.1e9, .gpu = 22e9});
  EXPECT_EQ(too_slow.workers.cores_share, 0);
  EXPECT_NE(too_slow.reason.find("would add 0.5 %"), std::string::npos) << too_slow.reason;
  unsetenv("STARPU_NCPU");
}

TEST(Workers, LeaveCoresToTheThreadsOfTheGpus) {
  EXPECT_EQ(cores_beside(1, 16), 13U);
  EXPECT_EQ(cores_beside(4, 64), 58U);
  EXPECT_EQ(cores_beside(1, 2), 0U);
}

TEST(Workers, AreAskedForByNumberOrAuto) {
  EXPECT_EQ(workers_asked(1, "").cores, -1);
  EXPECT_EQ(workers_asked(1, "7").cores, 7);
  EXPECT_TRUE(workers_asked(1, "auto").cores_if_they_help);
  for (char const* const wrong : {"-1", "x", "3x", "1.5"})
    EXPECT_THROW(workers_asked(1, wrong), BadInput) << wrong;
}

}  // namespace
}  // namespace tessera

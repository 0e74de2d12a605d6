// SPDX-License-Identifier: MIT
#include "graph/balance/work_clock.hpp"

#include <gtest/gtest.h>

#include "graph/balance/balancer.hpp"

namespace tessera {
namespace {

TEST(WorkClock, CountsTasksThatOverlapInAPipelineOnce) {
  WorkClock clock(1);
  clock.add(0, 100, 0.0, 1.0, 0.1);
  clock.add(0, 100, 0.5, 1.5, 0.1);  // began behind the first, as GPUs' tasks do
  clock.add(0, 100, 1.5, 2.0, 0.1);  // StarPU's own count: begins when the one before has ended
  WorkClock::Use const use = clock.uses().front();
  EXPECT_EQ(use.work, 300);
  EXPECT_EQ(use.tasks, 3);
  EXPECT_DOUBLE_EQ(use.busy_s, 2.0);
  EXPECT_DOUBLE_EQ(use.transferring_s, 0.3);
}

TEST(WorkClock, LeavesOutTheTimeBetweenTasks) {
  WorkClock clock(1);
  clock.add(0, 1, 0.0, 1.0, 0);
  clock.add(0, 1, 3.0, 4.0, 0);
  EXPECT_DOUBLE_EQ(clock.uses().front().busy_s, 2.0);
}

TEST(WorkClock, HasATimeForEachWorker) {
  WorkClock clock(2);
  clock.add(0, 1, 0.0, 1.0, 0);
  clock.add(1, 2, 0.5, 1.5, 0);
  EXPECT_DOUBLE_EQ(clock.uses()[0].busy_s, 1.0);
  EXPECT_DOUBLE_EQ(clock.uses()[1].busy_s, 1.0);
  EXPECT_EQ(clock.uses()[1].work, 2);
}

TEST(WorkClock, LeadsToTheSpeedsOfDomainsWhileTheyWork) {
  std::vector<WorkClock::Use> const before(3);
  // One GPU that waits half of its time, and two cores of which one found no task.
  std::vector<WorkClock::Use> const after{
      {.work = 100, .busy_s = 0.5}, {.work = 10, .busy_s = 1}, {}};
  std::vector<DomainSpeed> const speeds =
      domain_speeds({{.kind = STARPU_CUDA, .workers = {0}}, {.workers = {1, 2}}}, before, after);
  EXPECT_DOUBLE_EQ(speeds[0].work_per_second, 200);
  EXPECT_DOUBLE_EQ(speeds[1].work_per_second, 20);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "bench/drift_figures.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

/// Two GPUs of one worker each, the second of which has two thirds of the speed of the first.
std::vector<Domain> const two{{.kind = STARPU_CUDA, .workers = {0}},
                              {.kind = STARPU_CUDA, .workers = {1}}};
DriftMark const before{10, {{.work = 0, .busy_s = 1}, {.work = 5'000'000, .busy_s = 1}}};
DriftMark const after{12, {{.work = 6'000'000, .busy_s = 3}, {.work = 7'000'000, .busy_s = 2}}};

TEST(DriftFigures, CountTheWorkOfAllWorkers) { EXPECT_DOUBLE_EQ(mflups_between(before, after), 4); }

TEST(DriftFigures, TellWhatWaitingCost) {
  EXPECT_DOUBLE_EQ(busy_mflups(two, before, after), 3 + 2);
  EXPECT_DOUBLE_EQ(part_of_speed(two, 0, before, after), 0.6);
  EXPECT_DOUBLE_EQ(busy_imbalance(two, before, after), 2 / 1.5 - 1);
}

TEST(DriftFigures, AreNothingWhereNobodyWorked) {
  EXPECT_EQ(busy_mflups(two, before, before), 0);
  EXPECT_EQ(part_of_speed(two, 0, before, before), 0);
  EXPECT_EQ(busy_imbalance(two, before, before), 0);
}

TEST(DriftFigures, LeaveTheOthersTheirSpeed) {
  EXPECT_DOUBLE_EQ(ideal_rate(40, 0.5, 0.5), 30);
  EXPECT_DOUBLE_EQ(ideal_rate(40, 0.25, 0), 30);
  EXPECT_DOUBLE_EQ(ideal_rate(40, 0.25, 1), 40);
}

}  // namespace
}  // namespace tessera

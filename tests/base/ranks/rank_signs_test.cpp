// SPDX-License-Identifier: MIT
#include "base/ranks/rank_signs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

using namespace std::chrono_literals;

/// Two ranks and a clock of our own; silent for 100 s at most.
class TwoRanks : public testing::Test {
 protected:
  void hear(RankSign const& first, RankSign const& second) {
    signs_.hear(0, first, now_);
    signs_.hear(1, second, now_);
  }
  std::string standstill() { return signs_.standstill(now_).value_or(""); }

  RankSigns::Clock::time_point now_{};
  RankSigns signs_{100, {"rank 0", "rank 1"}, now_};
};

RankSign const waits{.is_waiting = 1};
RankSign const idles{};
RankSign const steps{.is_stepping = 1};

TEST_F(TwoRanks, WhoIsSilentForLongerThanTheLimitIsNamed) {
  now_ += 60s;
  signs_.hear(0, idles, now_);
  now_ += 41s;
  EXPECT_FALSE(signs_.silence_of(0, 0, now_));
  EXPECT_FALSE(signs_.silence_of(1, 10, now_));
  EXPECT_EQ(signs_.silence_of(1, 0, now_),
            "rank 1 has been silent for 101 s: it is stopped, or its host is gone");
}

TEST_F(TwoRanks, WhereAllStepTheLeastFarIsNamed) {
  RankSign farther = steps;
  farther.steps = 3;
  hear(farther, steps);
  EXPECT_EQ(standstill(), "");
  now_ += 99s;
  EXPECT_EQ(standstill(), "");
  now_ += 2s;
  EXPECT_EQ(standstill(), "rank 1 hangs: no process has come on for 101 s, and it is least far");
}

TEST_F(TwoRanks, ElsewhereWhoDoesNotWaitIsNamedAfterTenTimesTheLimit) {
  hear(idles, waits);
  EXPECT_EQ(standstill(), "");
  now_ += 999s;
  EXPECT_EQ(standstill(), "");
  now_ += 2s;
  EXPECT_EQ(standstill(), "rank 0 hangs: no process has computed, read or written for 1001 s");
}

TEST_F(TwoRanks, ThoseWhoAllWaitForEachOtherAreNamed) {
  hear(waits, waits);
  now_ += 1001s;
  EXPECT_EQ(standstill().substr(0, 22), "rank 0 or rank 1 hangs");
}

TEST_F(TwoRanks, WhatTakesLongMayWhileAnyIsAtWork) {
  for (int k = 1; k < 100; ++k) {
    hear(waits, {.work = k});
    now_ += 900s;
    EXPECT_EQ(standstill(), "");
  }
}

TEST_F(TwoRanks, WhoIsFreeMayTakeAsLongAsItLikes) {
  for (int k = 1; k < 100; ++k) {
    hear(waits, {.is_free = 1});
    now_ += 2000s;
    EXPECT_EQ(standstill(), "");
  }
}

TEST_F(TwoRanks, TimeAtStepsIsNoIdleness) {
  for (int k = 1; k < 30; ++k) {
    RankSign on = steps;
    on.steps = k;
    hear(on, on);
    now_ += 90s;
    EXPECT_EQ(standstill(), "");
  }
  hear(idles, steps);
  now_ += 900s;
  EXPECT_EQ(standstill(), "");
}

}  // namespace
}  // namespace tessera

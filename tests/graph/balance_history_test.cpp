// SPDX-License-Identifier: MIT
#include "graph/balance/balance_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera {
namespace {

/// Look n of a run: two domains, and a tile that moves at each look.
BalanceLook look(std::int64_t n) {
  auto const value = static_cast<double>(n);
  return {.step = 10 * n,
          .seconds = 0.2 * value,
          .imbalance = value,
          .largest_imbalance = value,
          .speeds = {value, 2 * value},
          .moves = 1};
}

BalanceHistory history_of(std::int64_t looks, std::size_t most) {
  BalanceHistory history(most);
  for (std::int64_t n = 1; n <= looks; ++n) history.add(look(n));
  return history;
}

TEST(BalanceHistory, KeepsEachLookWhileThereIsRoom) {
  BalanceHistory const history = history_of(4, 4);
  ASSERT_EQ(history.entries().size(), 4U);
  EXPECT_EQ(history.entries()[2].step, 30);
  EXPECT_EQ(history.entries()[2].looks, 1);
}

TEST(BalanceHistory, MakesOneOfTwoWhenItIsFull) {
  auto const entries = history_of(5, 4).entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].looks, 2);
  EXPECT_EQ(entries[0].step, 20);
  EXPECT_DOUBLE_EQ(entries[0].seconds, 0.4);
  EXPECT_DOUBLE_EQ(entries[0].imbalance, 1.5);
  EXPECT_DOUBLE_EQ(entries[0].largest_imbalance, 2);
  EXPECT_DOUBLE_EQ(entries[0].speeds[1], 3);
  EXPECT_EQ(entries[0].moves, 2);
  EXPECT_DOUBLE_EQ(entries[1].imbalance, 3.5);
  EXPECT_EQ(entries[2].looks, 1);
}

TEST(BalanceHistory, FillsTheLastEntryBeforeTheNext) {
  auto const entries = history_of(6, 4).entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[2].looks, 2);
  EXPECT_EQ(entries[2].step, 60);
}

TEST(BalanceHistory, StaysSmallAndForgetsNeitherMovesNorTheWorst) {
  std::int64_t const days = std::int64_t{5} * 86400 * 7;
  auto const entries = history_of(days, 400).entries();
  EXPECT_LE(entries.size(), 400U);
  EXPECT_GE(entries.size(), 200U);
  std::int64_t moves = 0, looks = 0;
  double worst = 0, sum = 0;
  for (BalanceLook const& entry : entries) {
    moves += entry.moves;
    looks += entry.looks;
    worst = std::max(worst, entry.largest_imbalance);
    sum += entry.imbalance * static_cast<double>(entry.looks);
  }
  EXPECT_EQ(moves, days);
  EXPECT_EQ(looks, days);
  EXPECT_EQ(worst, static_cast<double>(days));
  EXPECT_NEAR(sum / static_cast<double>(days), 0.5 * static_cast<double>(days + 1), 1);
  EXPECT_EQ(entries.back().step, 10 * days);
}

}  // namespace
}  // namespace tessera

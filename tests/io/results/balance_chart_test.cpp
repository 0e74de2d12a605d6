// SPDX-License-Identifier: MIT
#include "io/results/balance_chart.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/errors.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::count;

std::string drawn(BalanceResult const& balance) {
  test::TemporaryFolder const folder;
  write_balance_chart(folder / "balance.svg", "two & two", balance);
  return test::read_bytes(folder / "balance.svg");
}

BalanceResult two_gpus() {
  BalanceResult balance;
  balance.domains = {"GPU 0", "GPU 1"};
  balance.looks = {{1000, 1, 0, 0, {20e9, 20e9}, 0, 1},
                   {1800, 2, 0.3, 0.35, {10e9, 20e9}, 5, 2},
                   {2600, 3, 0.02, 0.02, {10e9, 20e9}, 1, 1}};
  return balance;
}

TEST(BalanceChart, HasCurvesOfTheImbalanceAndOfEachSpeed) {
  std::string const svg = drawn(two_gpus());
  EXPECT_EQ(count(svg, "<polyline"), 2 + 2);
  EXPECT_EQ(count(svg, "GPU 0: up to 20000 MFLUPS"), 1);
  EXPECT_EQ(count(svg, "two &amp; two"), 1);
  EXPECT_EQ(count(svg, "</svg>"), 1);
}

TEST(BalanceChart, MarksWhereTilesMoved) {
  std::string const svg = drawn(two_gpus());
  EXPECT_EQ(count(svg, "class=\"moves\""), 2);
  EXPECT_EQ(count(svg, "step 1800: 5 tiles moved"), 1);
  EXPECT_EQ(count(svg, "step 2600: 1 tile moved"), 1);
}

TEST(BalanceChart, SaysTimesAndSteps) {
  std::string const svg = drawn(two_gpus());
  EXPECT_EQ(count(svg, ">1.5</text>"), 1);
  EXPECT_EQ(count(svg, ">1400</text>"), 1) << "the step then, between two looks";
}

TEST(BalanceChart, IsDrawnWithoutAnyLook) { EXPECT_EQ(count(drawn({}), "</svg>"), 1); }

TEST(BalanceChart, IsRefusedWhereThereIsNoFolder) {
  EXPECT_THROW(write_balance_chart("/nowhere/balance.svg", "", {}), EnvironmentError);
}

}  // namespace
}  // namespace tessera

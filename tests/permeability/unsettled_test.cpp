// SPDX-License-Identifier: MIT
#include "permeability/flows/unsettled.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tessera {
namespace {

template <class K>
std::vector<PermeabilityPoint> series(K const& k, double balance) {
  std::vector<PermeabilityPoint> history;
  for (int i = 1; i <= 40; ++i)
    history.push_back({.step = 100L * i, .k_lattice = k(i), .force_balance = balance});
  return history;
}

bool says(std::string const& text, char const* words) {
  return text.find(words) != std::string::npos;
}

TEST(Unsettled, RangeAndTurnsAreThoseOfTheLastQuarter) {
  auto const swinging = series([](int i) { return i < 30 ? 7.0 : 2 + 0.5 * (i % 2); }, 0.75);
  SeriesEnd const end = end_of(swinging);
  EXPECT_DOUBLE_EQ(end.range, 0.25);
  EXPECT_EQ(end.turns, 9);
  EXPECT_DOUBLE_EQ(end.imbalance, 0.25);
}

TEST(Unsettled, RoundingIsToldFromWavesAndFromTooFewSteps) {
  auto const rounded = series([](int i) { return 5 + 1e-6 * (i % 3); }, 1.0001);
  EXPECT_TRUE(says(why_unsettled(rounded, 1e-4, Precision::single_precision), "rounding"));
  EXPECT_FALSE(says(why_unsettled(rounded, 1e-4, Precision::double_precision), "rounding"));
  auto const waves = series([](int i) { return 5 + 0.1 * std::sin(i); }, 1.01);
  EXPECT_TRUE(says(why_unsettled(waves, 1e-4, Precision::single_precision), "it swings"));
  auto const slow = series([](int i) { return 5 - std::exp(-i / 40.0); }, 0.9);
  EXPECT_TRUE(says(why_unsettled(slow, 1e-4, Precision::single_precision), "on its way"));
}

TEST(Unsettled, OfTwoValuesThereIsNothingToSay) {
  auto history = series([](int) { return 1.0; }, 1.0);
  history.resize(2);
  EXPECT_TRUE(says(why_unsettled(history, 1e-4, Precision::single_precision), "too few"));
  EXPECT_TRUE(std::isinf(end_of({}).range));
}

}  // namespace
}  // namespace tessera

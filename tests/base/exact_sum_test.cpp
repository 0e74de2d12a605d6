// SPDX-License-Identifier: MIT
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tessera {
namespace {

double sum_of(std::vector<double> const& terms) {
  ExactSum sum;
  for (double const term : terms) sum.add(term);
  return sum.value();
}

TEST(ExactSum, LosesNothing) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({1e-300, 1e300, -1e300}), 1e-300);
  EXPECT_EQ(sum_of({0.1, 0.2, -0.3}), 0x1p-55);  // of what these three really are
  double const least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sum_of({least, least, least}), 3 * least);
  double const most = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({most, most, -most}), most);
  EXPECT_EQ(sum_of({-most, -1}), -most);
}

TEST(ExactSum, RoundsToTheNearest) {
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1);  // in the middle: to even
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-1000}), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
  EXPECT_EQ(sum_of({-1, -0x1p-53, -0x1p-1000}), -1 - 0x1p-52);
}

TEST(ExactSum, DoesNotDependOnTheOrderNorOnHowItIsShared) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-300, 300);
  std::vector<double> terms(10000);
  for (double& term : terms) term = std::ldexp(mantissa(random), exponent(random));
  double const whole = sum_of(terms);
  for (std::size_t const parts : {2U, 7U}) {
    std::ranges::shuffle(terms, random);
    std::vector<ExactSum> sums(parts);
    for (std::size_t i = 0; i < terms.size(); ++i) sums[i % parts].add(terms[i]);
    std::vector<std::int64_t> words(ExactSum::words);
    for (ExactSum& sum : sums)
      std::ranges::transform(words, sum.carried(), words.begin(), std::plus());
    EXPECT_EQ(ExactSum(std::span<std::int64_t const, ExactSum::words>(words)).value(), whole);
  }
}

TEST(ExactSum, IsNoNumberIfATermIsNone) {
  EXPECT_TRUE(std::isnan(sum_of({1, std::numeric_limits<double>::infinity(), 2})));
  EXPECT_TRUE(std::isnan(sum_of({std::nan("")})));
}

TEST(ExactSum, OfAllMembersOfAStruct) {
  struct Terms {
    double a;
    double b[2];
  };
  ExactSums<Terms> sums;
  sums.add({1, {1e300, 3}});
  sums.add({2, {-1e300, 4}});
  Terms const total = sums.value();
  EXPECT_EQ(total.a, 3);
  EXPECT_EQ(total.b[0], 0);
  EXPECT_EQ(total.b[1], 7);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "permeability/flows/linear_prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tessera {
namespace {

/// limit + sum_j size_j factor_j^i
std::vector<double> decaying(double limit, std::vector<std::pair<double, double>> const& modes,
                             int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    double value = limit;
    for (auto const& [size, factor] : modes) value += size * std::pow(factor, i);
    values.push_back(value);
  }
  return values;
}

TEST(LinearPrediction, FindsTheLimitOfAsManyModesAsItHas) {
  auto const one = decaying(3.5, {{-2, 0.9}}, 3);
  EXPECT_NEAR(predicted_limit(one, 1), 3.5, 1e-12);
  auto const two = decaying(3.5, {{-2, 0.9}, {0.7, 0.4}}, 9);
  EXPECT_NEAR(predicted_limit(two, 2), 3.5, 1e-9);
  EXPECT_GT(std::abs(predicted_limit(two, 1) - 3.5), 1e-4);
  auto const swinging = decaying(-1, {{0.3, -0.8}}, 5);
  EXPECT_NEAR(predicted_limit(swinging, 1), -1, 1e-12);
}

/// Aitken's formula for three values.
TEST(LinearPrediction, IsAitkensForOneModeAndThreeValues) {
  std::vector<double> const x{1, 1.7, 2.05};
  double const first = x[1] - x[0];
  double const second = x[2] - x[1];
  EXPECT_NEAR(predicted_limit(x, 1), x[2] - second * second / (second - first), 1e-12);
}

TEST(LinearPrediction, HasNoLimitWhereDifferencesDoNotShrink) {
  std::vector<double> const straight{1, 2, 3, 4, 5};
  EXPECT_FALSE(std::abs(predicted_limit(straight, 1)) < 1e6);
}

}  // namespace
}  // namespace tessera

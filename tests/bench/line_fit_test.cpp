// SPDX-License-Identifier: MIT
#include "bench/line_fit.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera {
namespace {

TEST(LineFit, FindsTheLineThatAllPointsLieOn) {
  std::vector<double> const x{1, 2, 3, 4, 19};
  std::vector<double> y(x);
  for (double& v : y) v = 0.99 + 2.78 * v;
  Line const line = fit_line(x, y);
  EXPECT_NEAR(line.intercept, 0.99, 1e-13);
  EXPECT_NEAR(line.slope, 2.78, 1e-13);
  EXPECT_NEAR(line.r_squared, 1, 1e-13);
}

TEST(LineFit, IsTheOneOfLeastSquares) {
  // Worked by hand: means 1 and 4/3, sum of squares 2 in x and 14/3 in y, of products 3.
  Line const line = fit_line(std::vector<double>{0, 1, 2}, std::vector<double>{0, 1, 3});
  EXPECT_NEAR(line.slope, 1.5, 1e-15);
  EXPECT_NEAR(line.intercept, 4.0 / 3 - 1.5, 1e-15);
  EXPECT_NEAR(line.r_squared, 9.0 / (2 * 14.0 / 3), 1e-15);
}

TEST(LineFit, CallsALevelLinePerfect) {
  Line const line = fit_line(std::vector<double>{1, 2, 3}, std::vector<double>{5, 5, 5});
  EXPECT_EQ(line.slope, 0);
  EXPECT_EQ(line.intercept, 5);
  EXPECT_EQ(line.r_squared, 1);
}

}  // namespace
}  // namespace tessera

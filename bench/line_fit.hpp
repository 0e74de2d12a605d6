// SPDX-License-Identifier: MIT
// The straight line through measurements.
#pragma once

#include <cstddef>
#include <span>

namespace tessera {

/// y = intercept + slope x.
struct Line {
  double intercept = 0;
  double slope = 0;
  double r_squared = 0;  ///< 1: all points lie on it
};

/// Least squares; as many y as x, two different x at least. `relative`: of what y is missed by in
/// parts of y, which must not be 0.
inline Line fit_line(std::span<double const> x, std::span<double const> y, bool relative = false) {
  auto const weight = [&](std::size_t i) { return relative ? 1 / (y[i] * y[i]) : 1.0; };
  double weights = 0;
  for (std::size_t i = 0; i < x.size(); ++i) weights += weight(i);
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += weight(i) * x[i] / weights;
    mean_y += weight(i) * y[i] / weights;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += weight(i) * (x[i] - mean_x) * (x[i] - mean_x);
    xy += weight(i) * (x[i] - mean_x) * (y[i] - mean_y);
    yy += weight(i) * (y[i] - mean_y) * (y[i] - mean_y);
  }
  double const slope = xy / xx;
  return {mean_y - slope * mean_x, slope, yy > 0 ? slope * xy / yy : 1.0};
}

}  // namespace tessera

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

/// Least squares; as many y as x, two different x at least.
inline Line fit_line(std::span<double const> x, std::span<double const> y) {
  auto const count = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  double const slope = xy / xx;
  return {mean_y - slope * mean_x, slope, yy > 0 ? slope * xy / yy : 1.0};
}

}  // namespace tessera

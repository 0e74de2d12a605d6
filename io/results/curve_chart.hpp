// SPDX-License-Identifier: MIT
// Curves over an axis, as a picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tessera {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct CurveAxes {
  std::string title;
  std::string x;
  std::string y;
  bool logarithmic = false;  ///< y; values that are not positive are left out
};

/// SVG of at most seven curves; it has a note where there is nothing to draw.
std::string curve_chart(CurveAxes const& axes, std::vector<Curve> const& curves);

}  // namespace tessera

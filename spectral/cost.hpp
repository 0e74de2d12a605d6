// SPDX-License-Identifier: MIT
// What a point costs, for balance and cuts.
#pragma once

#include "spectral/points.hpp"

namespace tessera::spectral {

/// Of a stage, relative to degree 3: as measured on cores and GPUs, where low degrees have more
/// faces to their points.
constexpr double cost_of_point(int degree) {
  constexpr double faces = 1.2;  // what a point on a face costs, in points
  constexpr auto cost = [](int p) { return 1 + faces * 6.0 / (p + 1); };
  return cost(degree) / cost(3);
}

}  // namespace tessera::spectral

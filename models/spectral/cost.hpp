// SPDX-License-Identifier: MIT
// Cost of a solution point, for load balancing and cuts.
#pragma once

#include <array>
#include <cstddef>

#include "models/spectral/points.hpp"

namespace tessera::spectral {

/// Cost of a point in a stage, relative to degree 3, measured on straight hexahedra on a core with
/// AVX-512: at low degrees more points lie at sides.
constexpr double cost_of_point(int degree) {
  constexpr std::array<double, most_degree + 1> cost{4.2, 1.9, 1.3, 1, 0.88, 0.77, 0.78, 0.79, 0.7};
  return cost[static_cast<std::size_t>(degree)];
}

}  // namespace tessera::spectral

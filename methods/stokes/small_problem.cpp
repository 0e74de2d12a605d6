// SPDX-License-Identifier: MIT
#include "methods/stokes/small_problem.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace tessera::stokes {

SmallEstimate small_estimate(std::span<double const> alpha, std::span<double const> beta) {
  std::size_t const n = alpha.size();
  // The triangle: diagonal, and the two diagonals above it, by columns.
  std::vector<double> diagonal(n), above(n), above_twice(n), y(n);
  double cosine = 1, sine = 0, cosine_before = 1, sine_before = 0;
  double rest = beta[0];
  for (std::size_t k = 0; k < n; ++k) {
    double const b = k > 0 ? beta[k] : 0;
    double const turned = cosine_before * b;
    above_twice[k] = sine_before * b;
    above[k] = cosine * turned + sine * alpha[k];
    double const corner = cosine * alpha[k] - sine * turned;
    double const pivot = std::hypot(corner, beta[k + 1]);
    diagonal[k] = pivot;
    cosine_before = cosine;
    sine_before = sine;
    cosine = pivot > 0 ? corner / pivot : 1;
    sine = pivot > 0 ? beta[k + 1] / pivot : 0;
    y[k] = cosine * rest;
    rest = -sine * rest;
  }
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) y[k] -= above[k + 1] * y[k + 1];
    if (k + 2 < n) y[k] -= above_twice[k + 2] * y[k + 2];
    y[k] = diagonal[k] > 0 ? y[k] / diagonal[k] : 0;
  }
  double energy = 0;
  for (std::size_t k = 0; k < n; ++k) {
    energy += alpha[k] * y[k] * y[k];
    if (k + 1 < n) energy += 2 * beta[k + 1] * y[k] * y[k + 1];
  }
  double const linear = n > 0 ? beta[0] * y[0] : 0;
  return {linear, 2 * linear - energy, std::abs(rest)};
}

}  // namespace tessera::stokes

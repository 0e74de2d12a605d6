// SPDX-License-Identifier: MIT
#include "methods/stokes/small_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace tessera::steady::stokes {

SmallEstimate small_estimate(std::span<double const> alpha, std::span<double const> beta) {
  std::size_t const n = alpha.size();
  // The triangle, by columns, as methods/stokes/lanczos.hpp has it.
  std::vector<double> gamma(n), delta(n), epsilon(n), y(n);
  double c = 1, s = 0, c_before = 1, s_before = 0;
  double phi_bar = beta[0];
  for (std::size_t k = 0; k < n; ++k) {
    double const b = k > 0 ? beta[k] : 0;
    double const delta_bar = c_before * b;
    epsilon[k] = s_before * b;
    delta[k] = c * delta_bar + s * alpha[k];
    double const gamma_bar = c * alpha[k] - s * delta_bar;
    gamma[k] = std::hypot(gamma_bar, beta[k + 1]);
    c_before = c;
    s_before = s;
    c = gamma[k] > 0 ? gamma_bar / gamma[k] : 1;
    s = gamma[k] > 0 ? beta[k + 1] / gamma[k] : 0;
    y[k] = c * phi_bar;
    phi_bar = -s * phi_bar;
  }
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) y[k] -= delta[k + 1] * y[k + 1];
    if (k + 2 < n) y[k] -= epsilon[k + 2] * y[k + 2];
    y[k] = gamma[k] > 0 ? y[k] / gamma[k] : 0;
  }
  double energy = 0;
  for (std::size_t k = 0; k < n; ++k) {
    energy += alpha[k] * y[k] * y[k];
    if (k + 1 < n) energy += 2 * beta[k + 1] * y[k] * y[k + 1];
  }
  double const linear = n > 0 ? beta[0] * y[0] : 0;
  return {linear, 2 * linear - energy, std::abs(phi_bar)};
}

double error_left(double residual, double quadratic, double force_norm, double nodes) {
  // <F, M^-1 F> over <F, H F>, which is at most 1 over that eigenvalue, is known: in open boxes,
  // where the flow as a whole is slow to settle, it is some 1e4.
  double const of_force = force_norm > 0 ? 3 * quadratic / (force_norm * force_norm) : 0;
  double const inverse_of_least_eigenvalue = std::max(3.0, of_force);
  constexpr double last_digits = 4 * std::numeric_limits<double>::epsilon();
  double const slow = inverse_of_least_eigenvalue * residual * residual / (3 * quadratic);
  double const rounding = last_digits * (1 + 0.5 * nodes / quadratic);
  return std::max(slow, rounding);
}

}  // namespace tessera::steady::stokes

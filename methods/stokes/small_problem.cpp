// SPDX-License-Identifier: MIT
#include "methods/stokes/small_problem.hpp"

#include <cmath>
#include <cstddef>
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

}  // namespace tessera::steady::stokes

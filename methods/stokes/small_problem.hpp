// SPDX-License-Identifier: MIT
// The estimate of <b, M^-1 b> from the tridiagonal matrix of a Lanczos recurrence.
#pragma once

#include <span>

namespace tessera::steady::stokes {

struct SmallEstimate {
  double linear = 0;     ///< <b, x> of the iterate x of MINRES
  double quadratic = 0;  ///< 2 <b, x> - <x, M x>: its error is of second order
  double residual = 0;   ///< |b - M x| in the norm of the preconditioner
};

/// After n = alpha.size() iterations; beta has one value more, beta[0] = |b|. y = argmin |beta_1
/// e_1
/// - T y|, with T tridiagonal, (n + 1) x n, by rotations.
SmallEstimate small_estimate(std::span<double const> alpha, std::span<double const> beta);

/// Relative error of a velocity sum over so many nodes, `quadratic`, whose state has this residual
/// in the norm of the preconditioner H, the force having `force_norm`. The error of K is <r, M^-1
/// r>, at most <r, H r> over the least eigenvalue of H M in size; beside it, the rounding of sums
/// in double, from which the force's own part is subtracted.
double error_left(double residual, double quadratic, double force_norm, double nodes);

}  // namespace tessera::steady::stokes

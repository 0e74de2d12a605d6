// SPDX-License-Identifier: MIT
// Where a series of values is going.
#pragma once

#include <span>

namespace tessera {

/// The limit of values at equal distances in time that approach it as a sum of so many decaying
/// modes, x_i = x + sum_j c_j z_j^i: the differences of neighbours then obey a linear recurrence,
/// whose coefficients are fitted to all of them by least squares (Prony's method; Makhoul, Proc.
/// IEEE 63 (1975) 561) and say what is still to come. Needs 2 modes + 1 values; NaN or infinite if
/// the recurrence has no limit. One mode and three values: Aitken, Proc. R. Soc. Edinb. 46 (1926)
/// 289.
double predicted_limit(std::span<double const> values, int modes);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Integrals of a gas over its mesh: what is conserved, and how far it is from what it should be.
#pragma once

#include <array>

#include "case/file/gas_case.hpp"
#include "case/gas/gas_state.hpp"

namespace tessera {

struct GasTotals {
  double volume = 0;  ///< in two dimensions an area
  double mass = 0;
  std::array<double, 3> momentum{};
  double energy = 0;
  double entropy = 0;  ///< of density ln(pressure / density^gamma)
  /// Root of the mean square of p / density^gamma over `entropy_of`, less 1: 0 where a gas of one
  /// entropy keeps it.
  double entropy_error = 0;
  double mean_entropy = 0;  ///< of p / density^gamma
};

/// By the quadrature of the solution points, whose sums the method conserves. `entropy_of`: what
/// p / density^gamma should be; 0: its mean.
GasTotals totals_of(GasState const& state, double entropy_of);

/// Roots of mean squares, and the largest, of a difference from exact formulas.
struct GasErrors {
  struct Norms {
    double l2 = 0;
    double largest = 0;
  };
  Norms density, velocity, pressure;
};

/// By a quadrature of p + 4 Gauss points an axis.
GasErrors errors_of(GasState const& state, GasCase::Exact const& exact, double time);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The method along a line of an element: cores and GPUs call the same functions, so they add up in
// the same order.
#pragma once

#include "models/spectral/matrices.hpp"

namespace tessera::spectral {

/// A variable at flux point f of a line, from its p + 1 values.
template <int p, class N, class Real>
TESSERA_HOST_DEVICE Real extrapolated(Operators<p, N> const& matrices, int f,
                                      Real const (&values)[p + 1]) {
  Real sum = matrices.extrapolation[f][0] * values[0];
#pragma GCC unroll 16
  for (int i = 1; i <= p; ++i) sum += matrices.extrapolation[f][i] * values[i];
  return sum;
}

/// The derivative of a variable's flux at solution point i of a line, from its p + 2 fluxes.
template <int p, class N, class Real>
TESSERA_HOST_DEVICE Real differentiated(Operators<p, N> const& matrices, int i,
                                        Real const (&fluxes)[p + 2]) {
  Real sum = matrices.derivative[i][0] * fluxes[0];
#pragma GCC unroll 16
  for (int f = 1; f <= p + 1; ++f) sum += matrices.derivative[i][f] * fluxes[f];
  return sum;
}

}  // namespace tessera::spectral

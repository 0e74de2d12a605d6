// SPDX-License-Identifier: MIT
// The method along a line of an element: cores and GPUs call the same functions, so they add up in
// the same order.
#pragma once

#include "spectral/matrices.hpp"

/// Before a loop of a number of rounds that is known when the program is compiled, at most 16.
#ifdef __CUDACC__
#define TESSERA_UNROLL _Pragma("unroll")
#else
#define TESSERA_UNROLL _Pragma("GCC unroll 16")
#endif

namespace tessera::spectral {

/// A variable at flux point f of a line, from its p + 1 values.
template <int p, class N, class Real>
TESSERA_HOST_DEVICE Real extrapolated(Operators<p, N> const& matrices, int f,
                                      Real const (&values)[p + 1]) {
  Real sum = matrices.extrapolation[f][0] * values[0];
  TESSERA_UNROLL
  for (int i = 1; i <= p; ++i) sum += matrices.extrapolation[f][i] * values[i];
  return sum;
}

/// The derivative of a variable's flux at solution point i of a line, from its p + 2 fluxes.
template <int p, class N, class Real>
TESSERA_HOST_DEVICE Real differentiated(Operators<p, N> const& matrices, int i,
                                        Real const (&fluxes)[p + 2]) {
  Real sum = matrices.derivative[i][0] * fluxes[0];
  TESSERA_UNROLL
  for (int f = 1; f <= p + 1; ++f) sum += matrices.derivative[i][f] * fluxes[f];
  return sum;
}

}  // namespace tessera::spectral

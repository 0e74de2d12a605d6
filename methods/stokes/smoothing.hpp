// SPDX-License-Identifier: MIT
// Damped Jacobi, and the pieces of a coarse row's residual.
#pragma once

#include "methods/stokes/four.hpp"
#include "methods/stokes/node_group.hpp"

namespace tessera::stokes {

inline constexpr double damping = 0.7;
inline constexpr double pressure_correction = 1.9;
inline constexpr double velocity_correction = 1.3;

template <class T>
TESSERA_HOST_DEVICE Four<T> divided(Four<T> const& f, Two<float> const& diagonal) {
  T const s = static_cast<T>(damping) / static_cast<T>(diagonal.s);
  T const v = static_cast<T>(damping) / static_cast<T>(diagonal.v);
  return Two<T>{s, v} * f;
}
#ifndef __CUDACC__
TESSERA_HOST_DEVICE Four<FloatGroup> divided(Four<FloatGroup> const& f,
                                             Two<FloatGroup> const& diagonal) {
  constexpr auto factor = static_cast<float>(damping);
  return Two<FloatGroup>{factor / diagonal.s, factor / diagonal.v} * f;
}
#endif

/// b - A x of a coarse row before its edges. The pressure is in differences, so that a large
/// constant costs no digits; the velocity has a diagonal of its own, because of the walls.
template <class T>
TESSERA_HOST_DEVICE Four<T> residual_start(Four<T> const& b, Four<T> const& own,
                                           Two<float> const& diagonal) {
  return b - vector_part(static_cast<T>(diagonal.v) * own);
}
/// Adds the term of an edge to the residual of a row.
template <class T>
TESSERA_HOST_DEVICE void add_edge(Two<float> const& w, Four<T> const& other, Four<T> const& own,
                                  Four<T>& r) {
  r += Two<T>{static_cast<T>(w.s), static_cast<T>(w.v)} * (other - scalar_part(own));
}

}  // namespace tessera::stokes

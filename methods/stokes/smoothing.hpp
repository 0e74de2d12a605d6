// SPDX-License-Identifier: MIT
// Damped Jacobi, and the pieces of a coarse row's residual.
#pragma once

#include "methods/stokes/four.hpp"

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

/// b - A x of a coarse row before its edges. The pressure is in differences, so that a large
/// constant costs no digits; the velocity has a diagonal of its own, because of the walls.
template <class T>
TESSERA_HOST_DEVICE Four<T> residual_start(Four<T> const& b, Four<T> const& own,
                                           Two<float> const& diagonal) {
  T const d = static_cast<T>(diagonal.v);
  return {b.s, b.x - d * own.x, b.y - d * own.y, b.z - d * own.z};
}
/// Adds the term of an edge to the residual of a row.
template <class T>
TESSERA_HOST_DEVICE void add_edge(Two<float> const& w, Four<T> const& other, Four<T> const& own,
                                  Four<T>& r) {
  r.s += static_cast<T>(w.s) * (other.s - own.s);
  r.x += static_cast<T>(w.v) * other.x;
  r.y += static_cast<T>(w.v) * other.y;
  r.z += static_cast<T>(w.v) * other.z;
}

}  // namespace tessera::stokes

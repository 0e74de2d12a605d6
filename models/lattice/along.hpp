// SPDX-License-Identifier: MIT
// The component of a vector along a velocity of a set.
#pragma once

#include "base/host_device.hpp"

namespace tessera {

/// c_q . v, without the multiplications by 0 and 1 that a compiler may not drop from floating
/// point. q is not the velocity at rest.
template <class Lattice, int q, class Real, int n>
TESSERA_HOST_DEVICE constexpr Real along(Real const (&v)[n]) {
  constexpr int x = Lattice::x(q), y = Lattice::y(q), z = Lattice::z(q);
  if constexpr (y == 0 && z == 0) {
    return x > 0 ? v[0] : -v[0];
  } else if constexpr (x == 0 && z == 0) {
    return y > 0 ? v[1] : -v[1];
  } else if constexpr (x == 0 && y == 0) {
    return z > 0 ? v[2] : -v[2];
  } else if constexpr (z == 0) {
    return (x > 0 ? v[0] : -v[0]) + (y > 0 ? v[1] : -v[1]);
  } else if constexpr (y == 0) {
    return (x > 0 ? v[0] : -v[0]) + (z > 0 ? v[2] : -v[2]);
  } else if constexpr (x == 0) {
    return (y > 0 ? v[1] : -v[1]) + (z > 0 ? v[2] : -v[2]);
  } else {
    return ((x > 0 ? v[0] : -v[0]) + (y > 0 ? v[1] : -v[1])) + (z > 0 ? v[2] : -v[2]);
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The four moments of a node that pass through the multigrid: the density's and the momentum's.
#pragma once

#include "base/host_device.hpp"

namespace tessera {

template <class T>
struct alignas(4 * sizeof(T)) Four {
  T s, x, y, z;  ///< scalar (density, pressure) and vector (momentum, velocity)
};

/// A weight for the scalar and one for the vector.
template <class T>
struct Two {
  T s, v;
};

template <class T>
TESSERA_HOST_DEVICE Four<T> operator+(Four<T> const& a, Four<T> const& b) {
  return {a.s + b.s, a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
TESSERA_HOST_DEVICE void operator+=(Four<T>& a, Four<T> const& b) {
  a = a + b;
}
template <class T>
TESSERA_HOST_DEVICE Four<T> operator-(Four<T> const& a, Four<T> const& b) {
  return {a.s - b.s, a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
TESSERA_HOST_DEVICE Four<T> operator*(T a, Four<T> const& b) {
  return {a * b.s, a * b.x, a * b.y, a * b.z};
}
template <class T>
TESSERA_HOST_DEVICE Four<T> operator*(Two<T> const& a, Four<T> const& b) {
  return {a.s * b.s, a.v * b.x, a.v * b.y, a.v * b.z};
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The four moments of a flow's node that pass through the multigrid: the density's and the
// momentum's.
#pragma once

#include <type_traits>

#include "base/host_device.hpp"

// All that takes or returns registers is inlined: how it would be called does not matter.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

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
TESSERA_HOST_DEVICE Four<T> operator-(Four<T> const& a, Four<T> const& b) {
  return {a.s - b.s, a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
TESSERA_HOST_DEVICE Four<T> operator*(Two<T> const& a, Four<T> const& b) {
  return {a.s * b.s, a.v * b.x, a.v * b.y, a.v * b.z};
}
template <class Factor, class T>
TESSERA_HOST_DEVICE Four<T> operator*(Factor a, Four<T> const& b) {
  return {a * b.s, a * b.x, a * b.y, a * b.z};
}
/// The scalar alone, the rest 0.
template <class T>
TESSERA_HOST_DEVICE Four<T> scalar_part(Four<T> const& f) {
  return {f.s, T{}, T{}, T{}};
}
/// The vector alone, the scalar 0.
template <class T>
TESSERA_HOST_DEVICE Four<T> vector_part(Four<T> const& f) {
  return {T{}, f.x, f.y, f.z};
}

#ifndef __CUDACC__

// A core computes the four numbers of a node in one register; the bits are the same.

template <class T>
concept Number = std::is_floating_point_v<T>;
template <Number T>
using FourLanes [[gnu::vector_size(4 * sizeof(T))]] = T;

template <Number T>
TESSERA_HOST_DEVICE FourLanes<T> lanes(Four<T> const& f) {
  return __builtin_bit_cast(FourLanes<T>, f);
}
template <Number T>
TESSERA_HOST_DEVICE Four<T> operator+(Four<T> const& a, Four<T> const& b) {
  return __builtin_bit_cast(Four<T>, lanes(a) + lanes(b));
}
template <Number T>
TESSERA_HOST_DEVICE Four<T> operator-(Four<T> const& a, Four<T> const& b) {
  return __builtin_bit_cast(Four<T>, lanes(a) - lanes(b));
}
template <Number T>
TESSERA_HOST_DEVICE Four<T> operator*(Two<T> const& a, Four<T> const& b) {
  FourLanes<T> const factors{a.s, a.v, a.v, a.v};
  return __builtin_bit_cast(Four<T>, factors * lanes(b));
}
template <Number T>
TESSERA_HOST_DEVICE Four<T> operator*(T a, Four<T> const& b) {
  return __builtin_bit_cast(Four<T>, a * lanes(b));
}
template <Number T>
TESSERA_HOST_DEVICE Four<T> scalar_part(Four<T> const& f) {
  return __builtin_bit_cast(Four<T>, __builtin_shufflevector(lanes(f), FourLanes<T>{}, 0, 4, 4, 4));
}
template <Number T>
TESSERA_HOST_DEVICE Four<T> vector_part(Four<T> const& f) {
  return __builtin_bit_cast(Four<T>, __builtin_shufflevector(lanes(f), FourLanes<T>{}, 4, 1, 2, 3));
}

#endif

template <class T>
TESSERA_HOST_DEVICE void operator+=(Four<T>& a, Four<T> const& b) {
  a = a + b;
}
template <class T>
TESSERA_HOST_DEVICE void operator+=(Two<T>& a, Two<T> const& b) {
  a.s += b.s;
  a.v += b.v;
}

}  // namespace tessera

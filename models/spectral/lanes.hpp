// SPDX-License-Identifier: MIT
// A Real is a number, or a SIMD vector of them (GCC's vectors): the formulas of this folder take
// either. A thread of a GPU has one element, a core some at a time.
#pragma once

#include <type_traits>
#include <utility>

#include "base/host_device.hpp"
#include "base/square_root.hpp"  // IWYU pragma: export

namespace tessera::spectral {

namespace detail {
template <class Real, bool is_number>
struct NumberIn {
  using type = Real;
};
template <class Real>
struct NumberIn<Real, false> {
  using type = std::remove_cvref_t<decltype(std::declval<Real&>()[0])>;
};
}  // namespace detail

/// What a Real consists of: double or float.
template <class Real>
using Number = typename detail::NumberIn<Real, std::is_arithmetic_v<Real>>::type;

/// The larger value, or the smaller one, in each lane.
template <class Real>
TESSERA_HOST_DEVICE Real larger(Real a, Real b) {
  return a > b ? a : b;
}
template <class Real>
TESSERA_HOST_DEVICE Real smaller(Real a, Real b) {
  return a < b ? a : b;
}
template <class Real>
TESSERA_HOST_DEVICE Real magnitude(Real a) {
  return a < Real{} ? -a : a;
}

}  // namespace tessera::spectral

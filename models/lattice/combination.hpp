// SPDX-License-Identifier: MIT
// Sums with small integer coefficients known at compile time, such as moments of populations.
#pragma once

#include <utility>

#include "base/host_device.hpp"

namespace tessera {

/// 0, 1, ..., n - 1 as a type, to be unfolded. (Lambdas would do as well, but are not always
/// inlined: see host_device.hpp.)
template <int n>
using Count = std::make_integer_sequence<int, n>;

/// sum += coefficient * value, without the multiplications by 0 and 1.
template <int coefficient, class Scalar, class Real>
TESSERA_HOST_DEVICE constexpr void accumulate(Real& sum, Real const& value) {
  if constexpr (coefficient == 1) {
    sum += value;
  } else if constexpr (coefficient == -1) {
    sum -= value;
  } else if constexpr (coefficient != 0) {
    sum += static_cast<Scalar>(coefficient) * value;
  }
}

/// Place of the first coefficient other than 0, or n.
template <class Coefficients>
TESSERA_HOST_DEVICE constexpr int first_term(int n) {
  int i = 0;
  while (i < n && Coefficients::at(i) == 0) ++i;
  return i;
}

template <class Coefficients, class Scalar, class Real, int n, int... i>
TESSERA_HOST_DEVICE constexpr Real combination(Real const (&values)[n],
                                               std::integer_sequence<int, i...> /*all*/) {
  constexpr int first = first_term<Coefficients>(n);
  Real sum{};  // a first addition to 0 would stay in the program
  if constexpr (first < n) {
    constexpr int coefficient = Coefficients::at(first);
    if constexpr (coefficient == 1) {
      sum = values[first];
    } else {
      sum = static_cast<Scalar>(coefficient) * values[first];
    }
    (accumulate<(i > first ? Coefficients::at(i) : 0), Scalar>(sum, values[i]), ...);
  }
  return sum;
}

/// sum_i Coefficients::at(i) values[i].
template <class Coefficients, class Scalar, class Real, int n>
TESSERA_HOST_DEVICE constexpr Real combination(Real const (&values)[n]) {
  return combination<Coefficients, Scalar>(values, Count<n>{});
}

}  // namespace tessera

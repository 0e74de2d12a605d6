// SPDX-License-Identifier: MIT
// The matrices of the method along an axis of an element, at compile time, and between elements of
// unlike degrees (mortars).
#pragma once

#include <array>
#include <utility>

#include "base/host_device.hpp"
#include "models/spectral/points.hpp"

namespace tessera::spectral {

/// The matrices of degree p. E takes p + 1 values at the solution points to the p + 2 flux points,
/// D takes fluxes there to their derivative at the solution points. Rows of E sum to 1, rows of D
/// to 0.
template <int p, class N>
struct Operators {
  static constexpr int points = p + 1;
  static constexpr int flux_points = p + 2;
  N extrapolation[p + 2][p + 1];
  N derivative[p + 1][p + 2];
  N weight[p + 1];  ///< of the quadrature at the solution points, with sum 1
};

template <int p, class N>
constexpr Operators<p, N> make_operators() {
  Operators<p, N> made{};
  constexpr auto xs = solution_points<p>();
  constexpr auto xf = flux_points<p>();
  constexpr auto w = gauss_weights<static_cast<std::size_t>(p + 1)>();
  for (std::size_t i = 0; i < xs.size(); ++i) {
    for (std::size_t f = 0; f < xf.size(); ++f) {
      made.extrapolation[f][i] = static_cast<N>(lagrange(xs, i, xf[f]));
      made.derivative[i][f] = static_cast<N>(lagrange_slope(xf, f, xs[i]));
    }
    made.weight[i] = static_cast<N>(w[i]);
  }
  return made;
}

template <int p, class N>
inline constexpr Operators<p, N> operators = make_operators<p, N>();

/// Calls f.template operator()<p>() for a degree that is known at run time, 0 to most_degree.
template <class Function>
constexpr decltype(auto) with_degree(int p, Function&& f) {
  static_assert(most_degree == 8);
  switch (p) {
    case 0:
      return f.template operator()<0>();
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    case 7:
      return f.template operator()<7>();
    default:
      return f.template operator()<8>();
  }
}

/// Matrices from the solution points of one degree to the points of another: upwards by
/// interpolation, which is exact; downwards by the projection that keeps integrals with all
/// polynomials of the lower degree (L2), so that fluxes through the face are conserved. In three
/// dimensions a face takes the matrix along both of its axes.
template <class N>
struct MortarMatrices {
  static constexpr int most = most_degree + 1;  ///< rows and columns
  /// matrix[from][to][row * (from + 1) + column]
  N matrix[most][most][most * most];

  TESSERA_HOST_DEVICE N const* between(int from, int to) const { return matrix[from][to]; }
};

template <class N>
constexpr MortarMatrices<N> make_mortar_matrices() {
  MortarMatrices<N> made{};
  auto const fill = [&]<int from, int to>() {
    constexpr auto xa = solution_points<from>();
    constexpr auto xb = solution_points<to>();
    constexpr auto wa = gauss_weights<static_cast<std::size_t>(from + 1)>();
    constexpr auto wb = gauss_weights<static_cast<std::size_t>(to + 1)>();
    for (std::size_t i = 0; i <= to; ++i) {
      for (std::size_t j = 0; j <= from; ++j) {
        double const value = from == to  ? (i == j ? 1.0 : 0.0)
                             : from < to ? lagrange(xa, j, xb[i])
                                         : wa[j] * lagrange(xb, i, xa[j]) / wb[i];
        made.matrix[from][to][i * (from + 1) + j] = static_cast<N>(value);
      }
    }
  };
  auto const row = [&]<int from, int... to>(std::integer_sequence<int, to...>) {
    (fill.template operator()<from, to>(), ...);
  };
  [&]<int... from>(std::integer_sequence<int, from...> all) {
    (row.template operator()<from>(all), ...);
  }
  (std::make_integer_sequence<int, most_degree + 1>{});
  return made;
}

/// The matrices, which are computed once.
template <class N>
MortarMatrices<N> const& mortar_matrices();
template <>
MortarMatrices<double> const& mortar_matrices<double>();
template <>
MortarMatrices<float> const& mortar_matrices<float>();

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// Points on the segment [0, 1], at compile time: Gauss-Legendre and Legendre-Gauss-Lobatto.
//
// An element of degree p has its solution at p + 1 Gauss points of each axis, and its fluxes at the
// p Gauss points and both ends: with Chebyshev-Gauss-Lobatto points instead, the method is unstable
// from p = 2 on.
#pragma once

#include <array>
#include <cstddef>

namespace tessera::spectral {

inline constexpr int most_degree = 8;

namespace detail {

struct Legendre {
  double value;
  double slope;
};

/// P_n on [-1, 1], |x| < 1.
constexpr Legendre legendre(int n, double x) {
  double before = 0;
  double value = 1;
  for (int k = 1; k <= n; ++k) {
    double const next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  return {value, n * (before - x * value) / (1 - x * x)};
}

/// The zero between two places of unlike signs.
template <class Function>
constexpr double zero_between(double low, double high, Function const& f) {
  bool const rises = f(high) > 0;
  for (int halving = 0; halving < 60; ++halving) {
    double const middle = 0.5 * (low + high);
    if ((f(middle) > 0) == rises) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return 0.5 * (low + high);
}

/// The zeros of P_n on [-1, 1]: each lies between two of P_(n-1), or one and an end.
template <std::size_t n>
constexpr std::array<double, n> legendre_zeros() {
  std::array<double, n> zeros{};
  for (std::size_t k = 1; k <= n; ++k) {
    std::array<double, n> const before = zeros;
    for (std::size_t i = 0; i < k; ++i) {
      double const low = i == 0 ? -1 + 1e-12 : before[i - 1];
      double const high = i + 1 == k ? 1 - 1e-12 : before[i];
      zeros[i] =
          zero_between(low, high, [&](double x) { return legendre(static_cast<int>(k), x).value; });
    }
  }
  // Symmetric to the last bit.
  for (std::size_t i = 0; i < n / 2; ++i) {
    double const half = 0.5 * (zeros[n - 1 - i] - zeros[i]);
    zeros[i] = -half;
    zeros[n - 1 - i] = half;
  }
  if constexpr (n % 2 == 1) zeros[n / 2] = 0;
  return zeros;
}

}  // namespace detail

/// n Gauss-Legendre points on [0, 1], ascending.
template <std::size_t n>
constexpr std::array<double, n> gauss_points() {
  std::array<double, n> points = detail::legendre_zeros<n>();
  for (double& x : points) x = 0.5 * (1 + x);
  return points;
}

/// Weights of the n Gauss-Legendre points, of sum 1.
template <std::size_t n>
constexpr std::array<double, n> gauss_weights() {
  std::array<double, n> weights = detail::legendre_zeros<n>();
  for (double& x : weights) {
    double const slope = detail::legendre(static_cast<int>(n), x).slope;
    x = 1 / ((1 - x * x) * slope * slope);
  }
  return weights;
}

/// n >= 2 Legendre-Gauss-Lobatto points on [0, 1], ascending.
template <std::size_t n>
constexpr std::array<double, n> lobatto_points() {
  std::array<double, n> points{};
  auto const between = detail::legendre_zeros<n - 1>();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    points[i] = detail::zero_between(between[i - 1], between[i], [](double x) {
      return detail::legendre(static_cast<int>(n) - 1, x).slope;
    });
    points[i] = 0.5 * (1 + points[i]);
  }
  points[n - 1] = 1;
  return points;
}

/// The flux points of degree p: both ends, and p Gauss points.
template <int p>
constexpr std::array<double, p + 2> flux_points() {
  std::array<double, p + 2> points{};
  auto const inner = gauss_points<static_cast<std::size_t>(p)>();
  for (std::size_t i = 0; i < inner.size(); ++i) points[i + 1] = inner[i];
  points[p + 1] = 1;
  return points;
}

/// The solution points of degree p.
template <int p>
constexpr std::array<double, p + 1> solution_points() {
  return gauss_points<static_cast<std::size_t>(p + 1)>();
}

/// The j-th Lagrange polynomial on some nodes at x.
template <std::size_t n>
constexpr double lagrange(std::array<double, n> const& nodes, std::size_t j, double x) {
  double value = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (k != j) value *= (x - nodes[k]) / (nodes[j] - nodes[k]);
  }
  return value;
}

/// The derivative of the j-th Lagrange polynomial at x.
template <std::size_t n>
constexpr double lagrange_slope(std::array<double, n> const& nodes, std::size_t j, double x) {
  double slope = 0;
  for (std::size_t l = 0; l < n; ++l) {
    if (l == j) continue;
    double term = 1 / (nodes[j] - nodes[l]);
    for (std::size_t k = 0; k < n; ++k) {
      if (k != j && k != l) term *= (x - nodes[k]) / (nodes[j] - nodes[k]);
    }
    slope += term;
  }
  return slope;
}

}  // namespace tessera::spectral

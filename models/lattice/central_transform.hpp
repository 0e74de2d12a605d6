// SPDX-License-Identifier: MIT
// Transforms populations to central moments and back, one axis after the other.
// Geier, Schoenherr, Pasquali, Krafczyk, Comput. Math. Appl. 70 (2015) 507.
#pragma once

#include "models/lattice/halves.hpp"

namespace tessera {

/// The populations of a set of all triples in the order of their velocities, place
/// (c_x + 1) + 3 (c_y + 1) + 9 (c_z + 1); or moments, place i + 3 j + 9 k for
/// sum_q (c_x - u_x)^i (c_y - u_y)^j (c_z - u_z)^k f_q.
template <TensorProductSet Lattice, class Real>
struct Cube {
  Real at[Lattice::size];
};

template <TensorProductSet Lattice>
TESSERA_HOST_DEVICE constexpr int place_of(int q) {
  int const layer = Lattice::dimensions == 3 ? 9 * (Lattice::z(q) + 1) : 0;
  return Lattice::x(q) + 1 + 3 * (Lattice::y(q) + 1) + layer;
}

/// Transforms one line of three: populations at a velocity -1, 0, 1 to moments of order 0, 1, 2
/// about u.
template <class Scalar, class Real>
TESSERA_HOST_DEVICE constexpr void to_moments(Real& a, Real& b, Real& c, Real const& u) {
  Real const sum = a + c;
  Real const difference = c - a;
  a = sum + b;
  b = difference - u * a;
  c = sum - u * (difference + b);
}
template <class Scalar, class Real>
TESSERA_HOST_DEVICE constexpr void to_populations(Real& a, Real& b, Real& c, Real const& u) {
  constexpr auto half = Scalar{0.5};
  // About 0 instead of u: moments of order 1 and 2.
  Real const first = b + u * a;
  Real const second = c + u * (b + first);
  b = a - second;
  a = half * (second - first);
  c = half * (second + first);
}

template <bool forward, int stride, class Scalar, class Real, int n, int... line>
TESSERA_HOST_DEVICE constexpr void transform_axis(Real (&at)[n], Real const& u,
                                                  std::integer_sequence<int, line...> /*all*/) {
  // The lines along the axis start where its coordinate is 0.
  if constexpr (forward) {
    (to_moments<Scalar>(at[line % stride + line / stride * 3 * stride],
                        at[line % stride + line / stride * 3 * stride + stride],
                        at[line % stride + line / stride * 3 * stride + 2 * stride], u),
     ...);
  } else {
    (to_populations<Scalar>(at[line % stride + line / stride * 3 * stride],
                            at[line % stride + line / stride * 3 * stride + stride],
                            at[line % stride + line / stride * 3 * stride + 2 * stride], u),
     ...);
  }
}

template <class Scalar, class Lattice, class Real, int... q>
TESSERA_HOST_DEVICE constexpr Cube<Lattice, Real> to_cube(
    Halves<Lattice, Real> const& f, std::integer_sequence<int, q...> /*all*/) {
  Real populations[Lattice::size]{};
  add<Lattice>(populations, f);
  Cube<Lattice, Real> cube{};
  ((cube.at[place_of<Lattice>(q)] = populations[q]), ...);
  return cube;
}

/// Central moments of populations about the velocity u.
template <class Scalar, TensorProductSet Lattice, class Real>
TESSERA_HOST_DEVICE constexpr Cube<Lattice, Real> central_moments(
    Halves<Lattice, Real> const& f, Real const (&u)[Lattice::dimensions]) {
  constexpr Count<Lattice::size / 3> lines;
  auto cube = to_cube<Scalar>(f, Count<Lattice::size>{});
  transform_axis<true, 1, Scalar>(cube.at, u[0], lines);
  transform_axis<true, 3, Scalar>(cube.at, u[1], lines);
  if constexpr (Lattice::dimensions == 3) transform_axis<true, 9, Scalar>(cube.at, u[2], lines);
  return cube;
}

template <class Scalar, class Lattice, class Real, int... q>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> from_cube(
    Cube<Lattice, Real> const& cube, std::integer_sequence<int, q...> /*all*/) {
  Real const populations[Lattice::size] = {cube.at[place_of<Lattice>(q)]...};
  return split<Lattice, Scalar>(populations);
}

/// The populations with these central moments about u.
template <class Scalar, TensorProductSet Lattice, class Real>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> populations_of_central_moments(
    Cube<Lattice, Real> cube, Real const (&u)[Lattice::dimensions]) {
  constexpr Count<Lattice::size / 3> lines;
  if constexpr (Lattice::dimensions == 3) transform_axis<false, 9, Scalar>(cube.at, u[2], lines);
  transform_axis<false, 3, Scalar>(cube.at, u[1], lines);
  transform_axis<false, 1, Scalar>(cube.at, u[0], lines);
  return from_cube<Scalar>(cube, Count<Lattice::size>{});
}

}  // namespace tessera

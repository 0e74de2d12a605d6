// SPDX-License-Identifier: MIT
// A node's populations (its distribution function) as even and odd halves. Every moment is even or
// odd in the velocity, so it needs only one of them: half the work of a sum over all populations.
#pragma once

#include "models/lattice/combination.hpp"
#include "models/lattice/velocity_sets.hpp"

namespace tessera {

/// Pair p is made of the opposite populations f_q and f_q+1, q = 2 p + 1: even (f_q + f_q+1) / 2,
/// odd (f_q - f_q+1) / 2.
template <VelocitySet Lattice, class Real>
struct Halves {
  static constexpr int pairs = (Lattice::size - 1) / 2;
  Real rest;
  Real even[pairs];
  Real odd[pairs];
};

/// The first velocity of a pair.
TESSERA_HOST_DEVICE constexpr int first_of_pair(int p) { return 2 * p + 1; }

template <VelocitySet Lattice, class Scalar, class Real, int... p>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> split(
    Real const (&f)[Lattice::size], std::integer_sequence<int, p...> /*pairs*/) {
  constexpr auto half = Scalar{0.5};
  return {f[0],
          {half * (f[first_of_pair(p)] + f[first_of_pair(p) + 1])...},
          {half * (f[first_of_pair(p)] - f[first_of_pair(p) + 1])...}};
}

/// The halves of populations.
template <VelocitySet Lattice, class Scalar, class Real>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> split(Real const (&f)[Lattice::size]) {
  return split<Lattice, Scalar>(f, Count<Halves<Lattice, Real>::pairs>{});
}

template <VelocitySet Lattice, class Real, int... p>
TESSERA_HOST_DEVICE constexpr void add(Real (&f)[Lattice::size],
                                       Halves<Lattice, Real> const& change,
                                       std::integer_sequence<int, p...> /*pairs*/) {
  f[0] += change.rest;
  ((f[first_of_pair(p)] += change.even[p] + change.odd[p],
    f[first_of_pair(p) + 1] += change.even[p] - change.odd[p]),
   ...);
}

/// Adds halves to populations.
template <VelocitySet Lattice, class Real>
TESSERA_HOST_DEVICE constexpr void add(Real (&f)[Lattice::size],
                                       Halves<Lattice, Real> const& change) {
  add<Lattice>(f, change, Count<Halves<Lattice, Real>::pairs>{});
}

template <VelocitySet Lattice, class Real, int... p>
TESSERA_HOST_DEVICE constexpr void add(Halves<Lattice, Real>& sum,
                                       Halves<Lattice, Real> const& term,
                                       std::integer_sequence<int, p...> /*pairs*/) {
  sum.rest += term.rest;
  ((sum.even[p] += term.even[p], sum.odd[p] += term.odd[p]), ...);
}

/// sum += term.
template <VelocitySet Lattice, class Real>
TESSERA_HOST_DEVICE constexpr void add(Halves<Lattice, Real>& sum,
                                       Halves<Lattice, Real> const& term) {
  add(sum, term, Count<Halves<Lattice, Real>::pairs>{});
}

template <VelocitySet Lattice, class Even, class Odd, class Real, int... p>
TESSERA_HOST_DEVICE constexpr void scale(Halves<Lattice, Real>& halves, Even const& even,
                                         Odd const& odd,
                                         std::integer_sequence<int, p...> /*pairs*/) {
  halves.rest = even * halves.rest;
  ((halves.even[p] = even * halves.even[p], halves.odd[p] = odd * halves.odd[p]), ...);
}

/// Multiplies the halves by a factor each.
template <VelocitySet Lattice, class Even, class Odd, class Real>
TESSERA_HOST_DEVICE constexpr void scale(Halves<Lattice, Real>& halves, Even const& even,
                                         Odd const& odd) {
  scale(halves, even, odd, Count<Halves<Lattice, Real>::pairs>{});
}

}  // namespace tessera

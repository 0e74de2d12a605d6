// SPDX-License-Identifier: MIT
// Symmetric tensors of second order: the momentum flux of populations, and back.
#pragma once

#include "models/lattice/halves.hpp"

namespace tessera {

/// T_ab in as many dimensions; off[a + b - 1] = T_ab = T_ba.
template <int dimensions, class Real>
struct SymmetricTensor {
  static constexpr int pairs_of_axes = dimensions * (dimensions - 1) / 2;
  Real diagonal[dimensions];
  Real off[pairs_of_axes];
};

/// Place in `off` to the smaller and the larger of its two axes: xy, xz, yz.
TESSERA_HOST_DEVICE constexpr int smaller_axis(int off) { return off == 2 ? 1 : 0; }
TESSERA_HOST_DEVICE constexpr int larger_axis(int off) { return off == 0 ? 1 : 2; }

template <int dimensions, class Real>
TESSERA_HOST_DEVICE constexpr Real trace(SymmetricTensor<dimensions, Real> const& t) {
  Real sum = t.diagonal[0] + t.diagonal[1];
  if constexpr (dimensions == 3) sum += t.diagonal[2];
  return sum;
}

/// (a b + b a) / 2.
template <int dimensions, class Scalar, class A, class B>
TESSERA_HOST_DEVICE constexpr auto symmetric_product(A const (&a)[dimensions], B const* b) {
  constexpr auto half = Scalar{0.5};
  SymmetricTensor<dimensions, A> t{};
  for (int i = 0; i < dimensions; ++i) t.diagonal[i] = a[i] * b[i];
  for (int i = 0; i < t.pairs_of_axes; ++i) {
    int const k = smaller_axis(i), l = larger_axis(i);
    t.off[i] = half * (a[k] * b[l] + a[l] * b[k]);
  }
  return t;
}

/// Coefficients c_qa c_qb of the pairs.
template <VelocitySet Lattice, int a, int b>
struct FluxCoefficients {
  TESSERA_HOST_DEVICE static constexpr int at(int p) {
    return component<Lattice>(first_of_pair(p), a) * component<Lattice>(first_of_pair(p), b);
  }
};

/// The momentum flux sum_q c_q c_q f_q of populations.
template <VelocitySet Lattice, class Scalar, class Real>
TESSERA_HOST_DEVICE constexpr auto momentum_flux(Halves<Lattice, Real> const& f) {
  constexpr auto two = Scalar{2};
  if constexpr (Lattice::dimensions == 2) {
    return SymmetricTensor<2, Real>{
        {two * combination<FluxCoefficients<Lattice, 0, 0>, Scalar>(f.even),
         two * combination<FluxCoefficients<Lattice, 1, 1>, Scalar>(f.even)},
        {two * combination<FluxCoefficients<Lattice, 0, 1>, Scalar>(f.even)}};
  } else {
    return SymmetricTensor<3, Real>{
        {two * combination<FluxCoefficients<Lattice, 0, 0>, Scalar>(f.even),
         two * combination<FluxCoefficients<Lattice, 1, 1>, Scalar>(f.even),
         two * combination<FluxCoefficients<Lattice, 2, 2>, Scalar>(f.even)},
        {two * combination<FluxCoefficients<Lattice, 0, 1>, Scalar>(f.even),
         two * combination<FluxCoefficients<Lattice, 0, 2>, Scalar>(f.even),
         two * combination<FluxCoefficients<Lattice, 1, 2>, Scalar>(f.even)}};
  }
}

/// Coefficients of T_aa and 2 T_ab in c_q T c_q; in D3Q13 less the T_aa with c_qa = 0.
template <VelocitySet Lattice, int q>
struct DiagonalCoefficients {
  TESSERA_HOST_DEVICE static constexpr int at(int a) {
    int const c = component<Lattice>(q, a);
    return Lattice::isotropic || q == 0 ? c * c : 2 * c * c - 1;
  }
};
template <VelocitySet Lattice, int q>
struct OffCoefficients {
  TESSERA_HOST_DEVICE static constexpr int at(int off) {
    return 2 * component<Lattice>(q, smaller_axis(off)) * component<Lattice>(q, larger_axis(off));
  }
};

/// The population q of the set that has the momentum flux T and neither mass nor momentum, in the
/// isotropic sets w_q (c_q c_q - c_s^2) : T / (2 c_s^4) (Latt, Chopard, Math. Comput. Simul. 72
/// (2006) 165). In D3Q13 mass, momentum, flux and the vanishing third-order moments determine it.
template <VelocitySet Lattice, int q, class Scalar, int dimensions, class Real>
TESSERA_HOST_DEVICE constexpr Real population_of_flux(SymmetricTensor<dimensions, Real> const& t,
                                                      Real const& trace) {
  constexpr double cs2 = Lattice::sound_speed_squared;
  constexpr double w = Lattice::weight(q);
  if constexpr (q == 0) {
    return static_cast<Scalar>(Lattice::isotropic ? -w / (2 * cs2) : -w) * trace;
  } else {
    Real sum = combination<DiagonalCoefficients<Lattice, q>, Scalar>(t.diagonal);
    constexpr int offs = SymmetricTensor<dimensions, Real>::pairs_of_axes;
    constexpr int first = first_term<OffCoefficients<Lattice, q>>(offs);
    if constexpr (first < offs) sum += combination<OffCoefficients<Lattice, q>, Scalar>(t.off);
    if constexpr (Lattice::isotropic) {
      return static_cast<Scalar>(w / (2 * cs2 * cs2)) * (sum - static_cast<Scalar>(cs2) * trace);
    } else {
      return static_cast<Scalar>(3 * w) * sum;
    }
  }
}

template <VelocitySet Lattice, class Scalar, class Real, int dimensions, int... p>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> populations_of_flux(
    SymmetricTensor<dimensions, Real> const& t, std::integer_sequence<int, p...> /*pairs*/) {
  Real const sum = trace(t);
  return {population_of_flux<Lattice, 0, Scalar>(t, sum),
          {population_of_flux<Lattice, first_of_pair(p), Scalar>(t, sum)...},
          {}};
}

/// All populations of a momentum flux; the odd halves are 0.
template <VelocitySet Lattice, class Scalar, class Real, int dimensions>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> populations_of_flux(
    SymmetricTensor<dimensions, Real> const& t) {
  return populations_of_flux<Lattice, Scalar>(t, Count<Halves<Lattice, Real>::pairs>{});
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Many relaxation times: R(n) = M^-1 S M n, each moment with its rate.
// D'Humieres, Ginzburg, Krafczyk, Lallemand, Luo, Phil. Trans. R. Soc. A 360 (2002) 437.
//
// The rows of M are orthogonal, so M^-1 is its transpose up to a factor for each moment and one for
// each velocity, and all other coefficients are small integers. Rows are even or odd, so each half
// of the populations needs a quarter of M's entries only. The equilibrium moments are those of the
// second-order equilibrium (in D3Q19 w_eps = 3, w_eps_j = -11/2, w_xx = -1/2): if all rates agree
// this is BGK.
#pragma once

#include "models/lattice/flow_model.hpp"
#include "models/lattice/macroscopic.hpp"
#include "models/lattice/mrt_bases.hpp"

namespace tessera {

/// The matrix M, at compile time.
template <VelocitySet Lattice, Orthogonality orthogonality>
struct MomentMatrix {
  TESSERA_HOST_DEVICE static constexpr int value(int k, int q) {
    return MomentBasis<Lattice, orthogonality>::at(k, Lattice::x(q), Lattice::y(q), Lattice::z(q))
        .value;
  }
  TESSERA_HOST_DEVICE static constexpr MomentGroup group(int k) {
    return MomentBasis<Lattice, orthogonality>::at(k, 0, 0, 0).group;
  }
  TESSERA_HOST_DEVICE static constexpr bool relaxes(int k) {
    return group(k) != MomentGroup::conserved;
  }
  /// Whether moment k is even: its values at opposite velocities agree.
  TESSERA_HOST_DEVICE static constexpr bool even(int k) {
    for (int q = 1; q < Lattice::size; q += 2) {
      if (value(k, q) != value(k, q + 1)) return false;
    }
    return true;
  }
  /// The factor of a velocity in M^-1.
  TESSERA_HOST_DEVICE static constexpr double weight(int q) {
    return orthogonality == Orthogonality::weighted ? Lattice::weight(q) : 1.0;
  }
  /// The factor of a moment in M^-1: one over its norm squared.
  TESSERA_HOST_DEVICE static constexpr double scale(int k) {
    double sum = 0;
    for (int q = 0; q < Lattice::size; ++q) sum += weight(q) * value(k, q) * value(k, q);
    return 1.0 / sum;
  }
};

template <Orthogonality orthogonality>
struct Mrt {
  template <class Scalar>
  using Rates = MrtRates<Scalar>;
  static constexpr CollisionOperator kind = orthogonality == Orthogonality::weighted
                                                ? CollisionOperator::mrt_weighted
                                                : CollisionOperator::mrt;
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Rates<Scalar> rates(FlowParameters const& p) {
    return {static_cast<Scalar>(p.shear),       static_cast<Scalar>(p.normal),
            static_cast<Scalar>(p.bulk),        static_cast<Scalar>(p.energy_squared),
            static_cast<Scalar>(p.energy_flux), static_cast<Scalar>(p.fourth_stress),
            static_cast<Scalar>(p.third)};
  }
  template <VelocitySet Lattice, EquilibriumForm form>
  static constexpr bool suits = holds<Lattice, form>&& requires {
    sizeof(MomentBasis<Lattice, orthogonality>);
  };

  template <VelocitySet Lattice, class Real, class Rate, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void relax(Halves<Lattice, Real>& n,
                                                  Macroscopic<Lattice, Real> const& /*state*/,
                                                  Rate const& shear, Rates<Scalar> const& rates) {
    relax_all(n, shear, rates, Count<Lattice::size>{}, Count<Halves<Lattice, Real>::pairs>{});
  }

 private:
  template <class Matrix, int k>
  struct Row {
    TESSERA_HOST_DEVICE static constexpr int at(int p) {
      return Matrix::value(k, first_of_pair(p));
    }
  };

  template <class Lattice, class Real, class Rate, class Scalar, int... k, int... p>
  TESSERA_HOST_DEVICE static constexpr void relax_all(Halves<Lattice, Real>& n, Rate const& shear,
                                                      MrtRates<Scalar> const& rates,
                                                      std::integer_sequence<int, k...> /*moments*/,
                                                      std::integer_sequence<int, p...> pairs) {
    using Matrix = MomentMatrix<Lattice, orthogonality>;
    Halves<Lattice, Real> relaxed{};
    (relax_moment<k, Matrix>(relaxed, n, shear, rates, pairs), ...);
    constexpr bool weighted = orthogonality == Orthogonality::weighted;
    if constexpr (weighted) {
      relaxed.rest = static_cast<Scalar>(Matrix::weight(0)) * relaxed.rest;
      ((relaxed.even[p] = static_cast<Scalar>(Matrix::weight(first_of_pair(p))) * relaxed.even[p],
        relaxed.odd[p] = static_cast<Scalar>(Matrix::weight(first_of_pair(p))) * relaxed.odd[p]),
       ...);
    }
    n = relaxed;
  }

  /// Adds the change of moment k, without the factors of the velocities.
  template <int k, class Matrix, class Lattice, class Real, class Rate, class Scalar, int... p>
  TESSERA_HOST_DEVICE static constexpr void relax_moment(
      Halves<Lattice, Real>& relaxed, Halves<Lattice, Real> const& n, Rate const& shear,
      MrtRates<Scalar> const& rates, std::integer_sequence<int, p...> /*pairs*/) {
    if constexpr (Matrix::relaxes(k)) {
      // A pair's half counts twice in the moment.
      auto const factor =
          static_cast<Scalar>(Matrix::scale(k)) * rate_of<Matrix::group(k), Lattice>(shear, rates);
      if constexpr (Matrix::even(k)) {
        Real moment = Scalar{2} * combination<Row<Matrix, k>, Scalar>(n.even);
        accumulate<Matrix::value(k, 0), Scalar>(moment, n.rest);
        moment = factor * moment;
        accumulate<Matrix::value(k, 0), Scalar>(relaxed.rest, moment);
        (accumulate<Row<Matrix, k>::at(p), Scalar>(relaxed.even[p], moment), ...);
      } else {
        Real const moment = (Scalar{2} * factor) * combination<Row<Matrix, k>, Scalar>(n.odd);
        (accumulate<Row<Matrix, k>::at(p), Scalar>(relaxed.odd[p], moment), ...);
      }
    }
  }
};

}  // namespace tessera

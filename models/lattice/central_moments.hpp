// SPDX-License-Identifier: MIT
// Relaxation of central moments, in the frame that moves with the node, for the sets of all
// triples. Geier, Greiner, Korvink, Phys. Rev. E 73 (2006) 066705.
//
// The moments here are moments of n = f_eq - F/2 - f: -n are the deviations from Maxwell's
// distribution, so small numbers stay small.
#pragma once

#include "models/lattice/central_transform.hpp"
#include "models/lattice/flow_model.hpp"
#include "models/lattice/macroscopic.hpp"

namespace tessera {

/// Rates of the central moments; with third and higher 1 this is the recursive regularised operator
/// (see models/lattice/regularised.hpp).
template <class Scalar>
struct CentralRates {
  Scalar shear;   ///< 1 / tau
  Scalar bulk;    ///< trace of the stresses
  Scalar third;   ///< moments of third order
  Scalar higher;  ///< moments of fourth order and above; cumulants: disregarded, 1
};

/// Places in a cube of moments.
namespace moment {
enum : std::uint8_t { x = 1, y = 3, z = 9 };
TESSERA_HOST_DEVICE constexpr int order(int place) { return place % 3 + place / 3 % 3 + place / 9; }
}  // namespace moment

/// Relaxes the stresses: their trace with `bulk`, all else with `shear`.
template <class Lattice, class Real, class Rate, class Scalar>
TESSERA_HOST_DEVICE constexpr void relax_stresses(Cube<Lattice, Real>& m, Rate const& shear,
                                                  CentralRates<Scalar> const& rates) {
  using namespace moment;
  if constexpr (Lattice::dimensions == 2) {
    Real const sum = m.at[2 * x] + m.at[2 * y];
    Real const part = (Scalar{0.5} * (rates.bulk - shear)) * sum;
    m.at[2 * x] = shear * m.at[2 * x] + part;
    m.at[2 * y] = shear * m.at[2 * y] + part;
    m.at[x + y] = shear * m.at[x + y];
  } else {
    Real const sum = m.at[2 * x] + m.at[2 * y] + m.at[2 * z];
    Real const part = (static_cast<Scalar>(1.0 / 3.0) * (rates.bulk - shear)) * sum;
    m.at[2 * x] = shear * m.at[2 * x] + part;
    m.at[2 * y] = shear * m.at[2 * y] + part;
    m.at[2 * z] = shear * m.at[2 * z] + part;
    m.at[x + y] = shear * m.at[x + y];
    m.at[x + z] = shear * m.at[x + z];
    m.at[y + z] = shear * m.at[y + z];
  }
}

/// Relaxes all moments of third order and above.
template <class Lattice, class Real, class Scalar, int... place>
TESSERA_HOST_DEVICE constexpr void relax_orders(Cube<Lattice, Real>& m,
                                                CentralRates<Scalar> const& rates,
                                                std::integer_sequence<int, place...> /*all*/) {
  ((m.at[place] = moment::order(place) < 3
                      ? m.at[place]
                      : (moment::order(place) == 3 ? rates.third : rates.higher) * m.at[place]),
   ...);
}

/// Sets mass and momentum of n, which rounding has left, to their exact value 0.
template <class Lattice, class Real>
TESSERA_HOST_DEVICE constexpr void clear_conserved(Cube<Lattice, Real>& m) {
  m.at[0] = m.at[moment::x] = m.at[moment::y] = Real{};
  if constexpr (Lattice::dimensions == 3) m.at[moment::z] = Real{};
}

struct CentralMoments {
  template <class Scalar>
  using Rates = CentralRates<Scalar>;
  static constexpr CollisionOperator kind = CollisionOperator::central_moments;
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Rates<Scalar> rates(FlowParameters const& p) {
    return {static_cast<Scalar>(p.shear), static_cast<Scalar>(p.bulk), static_cast<Scalar>(p.third),
            static_cast<Scalar>(p.higher)};
  }
  template <VelocitySet Lattice, EquilibriumForm form>
  static constexpr bool suits = TensorProductSet<Lattice>&& form == EquilibriumForm::product;

  template <VelocitySet Lattice, class Real, class Rate, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void relax(Halves<Lattice, Real>& n,
                                                  Macroscopic<Lattice, Real> const& state,
                                                  Rate const& shear, Rates<Scalar> const& rates) {
    auto m = central_moments<Scalar>(n, state.velocity);
    clear_conserved(m);
    relax_stresses(m, shear, rates);
    relax_orders(m, rates, Count<Lattice::size>{});
    n = populations_of_central_moments<Scalar>(m, state.velocity);
  }
};

}  // namespace tessera

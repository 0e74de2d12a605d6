// SPDX-License-Identifier: MIT
// The collision operator with two relaxation rates; with equal ones it is BGK: Qian, d'Humieres,
// Lallemand, Europhys. Lett. 17 (1992) 479 (after Bhatnagar, Gross, Krook 1954).
#pragma once

#include "models/lattice/flow_model.hpp"
#include "models/lattice/macroscopic.hpp"

namespace tessera {

/// TRT, with one rate for the even half, which sets the viscosity, and one for the odd: Ginzburg,
/// Verhaeghe, d'Humieres, Commun. Comput. Phys. 3 (2008) 427.
struct Trt {
  template <class Scalar>
  struct Rates {
    Scalar shear;  ///< 1 / tau
    Scalar odd;    ///< (1/shear - 1/2) (1/odd - 1/2) is the magic number
  };
  static constexpr CollisionOperator kind = CollisionOperator::trt;
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Rates<Scalar> rates(FlowParameters const& p) {
    return {static_cast<Scalar>(p.shear), static_cast<Scalar>(p.odd)};
  }
  template <VelocitySet Lattice, EquilibriumForm form>
  static constexpr bool suits = Lattice::isotropic&& holds<Lattice, form>;

  template <VelocitySet Lattice, class Real, class Rate, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void relax(Halves<Lattice, Real>& n,
                                                  Macroscopic<Lattice, Real> const& /*state*/,
                                                  Rate const& shear, Rates<Scalar> const& rates) {
    scale(n, shear, rates.odd);
  }
};

}  // namespace tessera

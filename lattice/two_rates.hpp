// SPDX-License-Identifier: MIT
// Collision operators with one and with two relaxation rates.
#pragma once

#include "lattice/macroscopic.hpp"

namespace tessera {

/// One rate: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479 (after Bhatnagar, Gross,
/// Krook 1954).
struct Bgk {
  static constexpr char const* name = "BGK";
  template <class Scalar>
  struct Rates {
    Scalar shear;  ///< 1 / tau
  };
  template <VelocitySet Lattice, EquilibriumForm form>
  static constexpr bool suits = Lattice::isotropic&& holds<Lattice, form>;

  template <VelocitySet Lattice, class Real, class Rate, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void relax(Halves<Lattice, Real>& n,
                                                  Macroscopic<Lattice, Real> const& /*state*/,
                                                  Rate const& shear,
                                                  Rates<Scalar> const& /*rates*/) {
    scale(n, shear, shear);
  }
};

/// One for the even half, which sets the viscosity, and one for the odd: Ginzburg, Verhaeghe,
/// d'Humieres, Commun. Comput. Phys. 3 (2008) 427.
struct Trt {
  static constexpr char const* name = "TRT";
  template <class Scalar>
  struct Rates {
    Scalar shear;  ///< 1 / tau
    Scalar odd;    ///< (1/shear - 1/2) (1/odd - 1/2) is the magic number
  };
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

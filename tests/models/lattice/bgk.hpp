// SPDX-License-Identifier: MIT
// BGK as an operator of its own, for tests: kernels run TRT with equal rates in its place.
#pragma once

#include "models/lattice/flow_model.hpp"
#include "models/lattice/macroscopic.hpp"

namespace tessera {

/// One rate: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479 (after Bhatnagar, Gross,
/// Krook 1954).
struct Bgk {
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

}  // namespace tessera

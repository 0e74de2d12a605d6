// SPDX-License-Identifier: MIT
// The regularised collision operator: only the momentum flux of what is missing to equilibrium
// relaxes with 1 / tau; everything else is set to equilibrium.
// Latt, Chopard, Math. Comput. Simul. 72 (2006) 165.
//
// Its recursive form (Malaspinas 2015) for the sets of all triples is the operator of central
// moments with all rates 1 but those of the flux (Coreixas, Chopard, Latt, Phys. Rev. E 100 (2019)
// 033305): models/lattice/central_moments.hpp.
#pragma once

#include "models/lattice/flow_model.hpp"
#include "models/lattice/stress.hpp"

namespace tessera {

struct Regularised {
  template <class Scalar>
  struct Rates {
    Scalar shear;  ///< 1 / tau
  };
  static constexpr CollisionOperator kind = CollisionOperator::regularised;
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Rates<Scalar> rates(FlowParameters const& p) {
    return {static_cast<Scalar>(p.shear)};
  }
  template <VelocitySet Lattice, EquilibriumForm form>
  static constexpr bool suits = Lattice::isotropic&& holds<Lattice, form>;

  template <VelocitySet Lattice, class Real, class Rate, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void relax(Halves<Lattice, Real>& n,
                                                  Macroscopic<Lattice, Real> const& /*state*/,
                                                  Rate const& shear,
                                                  Rates<Scalar> const& /*rates*/) {
    auto kept = populations_of_flux<Lattice, Scalar>(momentum_flux<Lattice, Scalar>(n));
    scale(kept, shear - Scalar{1}, Scalar{0});
    add(n, kept);
  }
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera {

/// The equilibrium that the populations relax to.
enum class EquilibriumForm : std::uint8_t {
  linear,        ///< creeping flow about density 1, linear in density and velocity, and so exactly
                 ///< linear in the force ("stokes")
  second_order,  ///< with the momentum flux rho u u (Qian, d'Humieres, Lallemand 1992)
  product  ///< sets of all triples: a product of one factor an axis, with all moments of Maxwell's
           ///< distribution that the set can hold (Geier, Schoenherr, Pasquali, Krafczyk, Comput.
           ///< Math. Appl. 70 (2015) 507)
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The equilibrium of a node as populations, in a form chosen while the program runs: for code other
// than the node update.
#pragma once

#include "models/lattice/density_and_velocity.hpp"
#include "models/lattice/equilibrium.hpp"

namespace tessera {

template <EquilibriumForm form, VelocitySet Lattice>
TESSERA_HOST_DEVICE void equilibrium_populations(DensityAndVelocity const& m,
                                                 double (&f)[Lattice::size]) {
  constexpr double no_force[3] = {0, 0, 0};
  Macroscopic<Lattice, double> state{};
  state.density_shift = m.density_shift;
  state.density = form == EquilibriumForm::linear ? 1 : 1 + m.density_shift;
  state.specific = 1 / state.density;
  for (int a = 0; a < Lattice::dimensions; ++a) {
    state.velocity[a] = m.velocity[a];
    state.momentum[a] = state.density * m.velocity[a];
  }
  for (int q = 0; q < Lattice::size; ++q) f[q] = 0;
  add<Lattice>(f, equilibrium_less_half_force<form>(state, no_force));
}

/// The shifted equilibrium, f_eq - w.
template <VelocitySet Lattice>
TESSERA_HOST_DEVICE void equilibrium_populations(EquilibriumForm form, DensityAndVelocity const& m,
                                                 double (&f)[Lattice::size]) {
  if (form == EquilibriumForm::linear)
    return equilibrium_populations<EquilibriumForm::linear, Lattice>(m, f);
  if constexpr (holds<Lattice, EquilibriumForm::product>) {
    if (form == EquilibriumForm::product)
      return equilibrium_populations<EquilibriumForm::product, Lattice>(m, f);
  }
  equilibrium_populations<EquilibriumForm::second_order, Lattice>(m, f);
}

}  // namespace tessera

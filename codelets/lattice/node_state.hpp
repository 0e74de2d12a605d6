// SPDX-License-Identifier: MIT
// Density and velocity of a node from its populations.
#pragma once

#include <cstddef>

#include "codelets/lattice/mass_and_momentum.hpp"
#include "codelets/lattice/snapshot.hpp"

namespace tessera {

/// The state from mass and momentum j* of the populations after the collision: there the momentum
/// is j + rho g, hence u = j*/rho - g/2.
TESSERA_HOST_DEVICE NodeState state_of(MassAndMomentum const& carried,
                                       SnapshotArguments const& arguments) {
  double const density =
      arguments.model.equilibrium == EquilibriumForm::linear ? 1.0 : 1.0 + carried.density_shift;
  NodeState state{static_cast<float>(carried.density_shift), {}};
  for (int a = 0; a < 3; ++a) {
    state.velocity[a] =
        static_cast<float>(carried.momentum[a] / density - 0.5 * arguments.force[a]);
  }
  return state;
}

/// The state from a node's populations after the collision, f[0], f[stride], ...
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE NodeState node_state(Storage const* f, std::size_t stride,
                                         SnapshotArguments const& arguments) {
  return state_of(mass_and_momentum<Lattice>(f, stride), arguments);
}

}  // namespace tessera

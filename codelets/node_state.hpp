// SPDX-License-Identifier: MIT
// Density and velocity of a node from its populations.
#pragma once

#include <cstddef>

#include "codelets/snapshot.hpp"
#include "lattice/storage.hpp"

namespace tessera {

/// Moments of a node's populations after the collision, f[0], f[stride], ...: there the momentum is
/// j + rho g, hence u = j*/rho - g/2.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE NodeState node_state(Storage const* f, std::size_t stride,
                                         SnapshotArguments const& arguments) {
  double density_shift = 0;
  double momentum[3] = {0, 0, 0};
  for (int q = 0; q < Lattice::size; ++q) {
    auto const population =
        static_cast<double>(from_storage(f[static_cast<std::size_t>(q) * stride]));
    density_shift += population;
    momentum[0] += Lattice::x(q) * population;
    momentum[1] += Lattice::y(q) * population;
    momentum[2] += Lattice::z(q) * population;
  }
  double const density =
      arguments.model.equilibrium == EquilibriumForm::linear ? 1.0 : 1.0 + density_shift;
  NodeState state{static_cast<float>(density_shift), {}};
  for (int a = 0; a < 3; ++a)
    state.velocity[a] = static_cast<float>(momentum[a] / density - 0.5 * arguments.force[a]);
  return state;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Density and velocity of a node from its populations.
#pragma once

#include <cstddef>

#include "codelets/snapshot.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/storage.hpp"

namespace tessera {

/// Moments of a node's populations after the collision, f[0], f[stride], ...: there the momentum is
/// j + rho g, hence u = j*/rho - g/2.
template <class Storage>
TESSERA_HOST_DEVICE NodeState node_state(Storage const* f, std::size_t stride,
                                         SnapshotArguments const& arguments) {
  double density_shift = 0;
  double momentum[3] = {0, 0, 0};
  for (int q = 0; q < D3Q19::size; ++q) {
    auto const population =
        static_cast<double>(from_storage(f[static_cast<std::size_t>(q) * stride]));
    density_shift += population;
    momentum[0] += D3Q19::x(q) * population;
    momentum[1] += D3Q19::y(q) * population;
    momentum[2] += D3Q19::z(q) * population;
  }
  double const density = arguments.equilibrium == Equilibrium::stokes ? 1.0 : 1.0 + density_shift;
  NodeState state{static_cast<float>(density_shift), {}};
  for (int a = 0; a < 3; ++a)
    state.velocity[a] = static_cast<float>(momentum[a] / density - 0.5 * arguments.force[a]);
  return state;
}

}  // namespace tessera

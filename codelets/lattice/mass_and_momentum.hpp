// SPDX-License-Identifier: MIT
// What a node's populations carry.
#pragma once

#include <cstddef>

#include "base/storage.hpp"

namespace tessera {

struct MassAndMomentum {
  double density_shift = 0;  ///< rho - 1
  double momentum[3] = {};
};

/// Mass and momentum of the populations f[0], f[stride], ...
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE MassAndMomentum mass_and_momentum(Storage const* f, std::size_t stride) {
  MassAndMomentum sum;
  for (int q = 0; q < Lattice::size; ++q) {
    auto const population =
        static_cast<double>(from_storage(f[static_cast<std::size_t>(q) * stride]));
    sum.density_shift += population;
    sum.momentum[0] += Lattice::x(q) * population;
    sum.momentum[1] += Lattice::y(q) * population;
    sum.momentum[2] += Lattice::z(q) * population;
  }
  return sum;
}

}  // namespace tessera

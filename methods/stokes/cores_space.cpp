// SPDX-License-Identifier: MIT
#include "methods/steady/cores.hpp"
#include "methods/stokes/space.hpp"

namespace tessera::steady::stokes {

std::unique_ptr<StokesSpace> make_cores_space(Geometry const& geometry,
                                              StokesOptions const& options) {
  return std::make_unique<MachineSpace<Cores>>(geometry, options);
}

}  // namespace tessera::steady::stokes

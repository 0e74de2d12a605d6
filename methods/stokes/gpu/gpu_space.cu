// SPDX-License-Identifier: MIT
#include "methods/steady/gpu/gpu.cuh"
#include "methods/stokes/solver.hpp"
#include "methods/stokes/space.hpp"

namespace tessera::steady::stokes {

std::unique_ptr<StokesSpace> make_gpu_space(Geometry const& geometry,
                                            StokesOptions const& options) {
  return std::make_unique<MachineSpace<Gpu>>(geometry, options);
}

}  // namespace tessera::steady::stokes

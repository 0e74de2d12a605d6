// SPDX-License-Identifier: MIT
#include "steady/gpu.cuh"
#include "steady/space.hpp"

namespace tessera::stokes {

std::unique_ptr<StokesSpace> make_gpu_space(Geometry const& geometry,
                                            StokesOptions const& options) {
  return std::make_unique<MachineSpace<Gpu>>(geometry, options);
}

}  // namespace tessera::stokes

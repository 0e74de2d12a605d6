// SPDX-License-Identifier: MIT
#include "methods/diffusion/make_space.hpp"
#include "methods/diffusion/space.hpp"
#include "methods/steady/gpu/gpu.cuh"

namespace tessera::steady::diffusion {

std::unique_ptr<DiffusionSpace> make_gpu_space(Conductor const& conductor, std::optional<Axis> open,
                                               SteadyOptions const& options) {
  return std::make_unique<MachineSpace<Gpu>>(conductor, open, options);
}

}  // namespace tessera::steady::diffusion

// SPDX-License-Identifier: MIT
#include "base/errors.hpp"
#include "methods/diffusion/make_space.hpp"

namespace tessera::steady::diffusion {

std::unique_ptr<DiffusionSpace> make_gpu_space(Conductor const&, std::optional<Axis>,
                                               SteadyOptions const&) {
  throw EnvironmentError("this build has no code for GPUs");
}

}  // namespace tessera::steady::diffusion

// SPDX-License-Identifier: MIT
#include "methods/steady/cores.hpp"

#include "methods/diffusion/make_space.hpp"
#include "methods/diffusion/space.hpp"

namespace tessera::steady::diffusion {

std::unique_ptr<DiffusionSpace> make_cores_space(Conductor const& conductor,
                                                 std::optional<Axis> open,
                                                 SteadyOptions const& options) {
  return std::make_unique<MachineSpace<Cores>>(conductor, open, options);
}

}  // namespace tessera::steady::diffusion

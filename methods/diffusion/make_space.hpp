// SPDX-License-Identifier: MIT
// A conductor on each machine.
#pragma once

#include <memory>
#include <optional>

#include "methods/diffusion/diffusion.hpp"

namespace tessera::steady::diffusion {

std::unique_ptr<DiffusionSpace> make_cores_space(Conductor const& conductor,
                                                 std::optional<Axis> open,
                                                 SteadyOptions const& options);
std::unique_ptr<DiffusionSpace> make_gpu_space(Conductor const& conductor, std::optional<Axis> open,
                                               SteadyOptions const& options);

}  // namespace tessera::steady::diffusion

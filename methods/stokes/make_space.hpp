// SPDX-License-Identifier: MIT
// A pore space on each machine.
#pragma once

#include <memory>

#include "methods/stokes/stokes.hpp"

namespace tessera::steady::stokes {

std::unique_ptr<StokesSpace> make_cores_space(Geometry const& geometry,
                                              StokesOptions const& options);
std::unique_ptr<StokesSpace> make_gpu_space(Geometry const& geometry, StokesOptions const& options);

}  // namespace tessera::steady::stokes

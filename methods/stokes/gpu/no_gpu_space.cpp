// SPDX-License-Identifier: MIT
#include "base/errors.hpp"
#include "methods/stokes/make_space.hpp"

namespace tessera::steady::stokes {

std::unique_ptr<StokesSpace> make_gpu_space(Geometry const&, StokesOptions const&) {
  throw EnvironmentError("this build has no code for GPUs");
}

}  // namespace tessera::steady::stokes

// SPDX-License-Identifier: MIT
#include "lattice/errors.hpp"
#include "machine/copy_bandwidth.hpp"

namespace tessera {

double copy_on_gpu() { throw EnvironmentError("this Tessera was built without CUDA"); }

}  // namespace tessera

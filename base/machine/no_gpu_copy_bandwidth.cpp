// SPDX-License-Identifier: MIT
#include "base/errors.hpp"
#include "base/machine/copy_bandwidth.hpp"

namespace tessera {

double copy_on_gpu() { throw EnvironmentError("this Tessera was built without CUDA"); }

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/machine/gpu_start.hpp"

namespace tessera {

std::jthread start_gpu() { return {}; }

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "machine/gpu_start.hpp"

namespace tessera {

std::jthread start_gpu() { return {}; }

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/errors.hpp"
#include "base/machine/gpu_start.hpp"

namespace tessera {

std::jthread start_gpu() { return {}; }

void make_gpu_current(int /*gpu*/) { throw EnvironmentError("this build has no code for GPUs"); }

}  // namespace tessera

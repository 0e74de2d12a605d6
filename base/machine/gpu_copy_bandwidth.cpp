// SPDX-License-Identifier: MIT
#include "base/machine/copy_bandwidth.hpp"
#include "base/machine/gpu_copy.hpp"

namespace tessera {

double copy_on_gpu() { return GpuCopy().run(); }

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "machine/copy_bandwidth.hpp"
#include "machine/gpu_copy.hpp"

namespace tessera {

double copy_on_gpu() { return GpuCopy().run(); }

}  // namespace tessera

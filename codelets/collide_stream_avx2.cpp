// SPDX-License-Identifier: MIT
#include "codelets/collide_stream_node.hpp"

namespace tessera {
CpuKernels const avx2_kernels = kernels_by_node<32>("AVX2");
}  // namespace tessera

// SPDX-License-Identifier: MIT
// The GPU implementations of the tasks, where Tessera is built with CUDA. They launch kernels and
// return.
#pragma once

#include "graph/tasks/on_gpu.hpp"  // IWYU pragma: export

#ifdef TESSERA_HAS_CUDA

namespace tessera::spectral {

void stage_on_gpu(void** buffers, void* argument) noexcept;
void measure_on_gpu(void** buffers, void* argument) noexcept;

}  // namespace tessera::spectral

#endif

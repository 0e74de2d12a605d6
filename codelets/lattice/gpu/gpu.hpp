// SPDX-License-Identifier: MIT
// The GPU implementations of the codelets, where Tessera is built with CUDA. All are asynchronous
// on StarPU's stream: they launch kernels and return.
#pragma once

#include "graph/tasks/on_gpu.hpp"  // IWYU pragma: export

#ifdef TESSERA_HAS_CUDA

namespace tessera {

void collide_stream_on_gpu(void** buffers, void* argument) noexcept;
void fill_halo_on_gpu(void** buffers, void* argument) noexcept;
void functional_on_gpu(void** buffers, void* argument) noexcept;
void initialise_on_gpu(void** buffers, void* argument) noexcept;
void measure_on_gpu(void** buffers, void* argument) noexcept;
void snapshot_on_gpu(void** buffers, void* argument) noexcept;

}  // namespace tessera

#endif

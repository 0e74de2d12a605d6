// SPDX-License-Identifier: MIT
// The GPU implementations of the codelets, where Tessera is built with CUDA. All are asynchronous
// on StarPU's stream: they launch kernels and return.
#pragma once

#ifdef TESSERA_HAS_CUDA

/// In the initialiser of a starpu_codelet: its implementation for GPUs.
#define TESSERA_ON_GPU(function) .cuda_funcs = {function}, .cuda_flags = {STARPU_CUDA_ASYNC},

namespace tessera {

void collide_stream_on_gpu(void** buffers, void* argument) noexcept;
void initialise_on_gpu(void** buffers, void* argument) noexcept;
void measure_on_gpu(void** buffers, void* argument) noexcept;
void snapshot_on_gpu(void** buffers, void* argument) noexcept;

}  // namespace tessera

#else
#define TESSERA_ON_GPU(function)
#endif

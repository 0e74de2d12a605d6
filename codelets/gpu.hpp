// SPDX-License-Identifier: MIT
// The GPU implementations of the codelets, where Tessera is built with CUDA. All are asynchronous
// on StarPU's stream: they launch kernels and return.
#pragma once

#ifdef TESSERA_HAS_CUDA

/// A codelet's implementation for GPUs, if there is one.
#define TESSERA_ON_GPU(function) function

namespace tessera {

void collide_stream_on_gpu(void** buffers, void* argument) noexcept;
void initialise_on_gpu(void** buffers, void* argument) noexcept;
void measure_on_gpu(void** buffers, void* argument) noexcept;
void snapshot_on_gpu(void** buffers, void* argument) noexcept;

}  // namespace tessera

#else
#define TESSERA_ON_GPU(function) nullptr
#endif

// SPDX-License-Identifier: MIT
// Marks code that is written once and runs on cores and on GPUs.
#pragma once

#ifdef __CUDACC__
#define TESSERA_HOST_DEVICE __host__ __device__ __forceinline__
#else
// Always inlined: the same function is compiled for several instruction sets, and the linker must
// not mix them.
#define TESSERA_HOST_DEVICE [[gnu::always_inline]] inline
#endif

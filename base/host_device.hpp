// SPDX-License-Identifier: MIT
// Code that runs on cores and on GPUs alike is written once; this marks it.
#pragma once

#ifdef __CUDACC__
#define TESSERA_HOST_DEVICE __host__ __device__ __forceinline__
#else
// Always inlined: the same function is compiled for several instruction sets, and the linker must
// not mix them.
#define TESSERA_HOST_DEVICE [[gnu::always_inline]] inline
#endif

// SPDX-License-Identifier: MIT
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "codelets/collide_stream_node.hpp"

namespace tessera {

CpuKernels const generic_kernels = kernels_by_node<16>("128-bit vectors");

#ifdef __x86_64__
namespace {

/// Conversion of Half; not every compiler's __builtin_cpu_supports() knows it.
bool has_f16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

}  // namespace
#endif

CpuKernels const& best_cpu_kernels() {
#ifdef __x86_64__
  // What x86-64-v4 and x86-64-v3 consist of, as far as these kernels use it.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2")) {
    return avx512_kernels;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2") && has_f16c()) {
    return avx2_kernels;
  }
#endif
  return generic_kernels;
}

}  // namespace tessera

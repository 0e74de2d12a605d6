// SPDX-License-Identifier: MIT
#include "elements/core_kernels.hpp"

namespace tessera::spectral {

CoreKernels const& best_core_kernels() {
#ifdef __x86_64__
  // What x86-64-v4 and x86-64-v3 consist of, as far as these kernels use it.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2")) {
    return avx512_core_kernels;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2")) {
    return avx2_core_kernels;
  }
#endif
  return generic_core_kernels;
}

}  // namespace tessera::spectral

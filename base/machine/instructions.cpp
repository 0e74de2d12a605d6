// SPDX-License-Identifier: MIT
#include "base/machine/instructions.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/errors.hpp"

namespace tessera {

Instructions best_instructions() {
#ifdef __x86_64__
  __builtin_cpu_init();
  // Conversion of Half; not every compiler's __builtin_cpu_supports() knows it.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  bool const f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
  // What x86-64-v3 and x86-64-v4 consist of, as far as the kernels use it.
  [[maybe_unused]] bool const avx2 = __builtin_cpu_supports("avx2") &&
                                     __builtin_cpu_supports("fma") &&
                                     __builtin_cpu_supports("bmi2") && f16c;
  [[maybe_unused]] bool const avx512 =
      avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd");
#if TESSERA_FOR_AVX512
  if (avx512) return Instructions::avx512;
#endif
#if TESSERA_FOR_AVX2
  if (avx2) return Instructions::avx2;
#endif
#endif
#if TESSERA_FOR_GENERIC
  return Instructions::generic;
#else
  throw EnvironmentError(
      "this Tessera was built for the processor of another machine: expected one built here, or "
      "for "
      "all processors (make)");
#endif
}

}  // namespace tessera

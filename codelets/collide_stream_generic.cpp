// SPDX-License-Identifier: MIT
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "codelets/collide_stream_kernel.hpp"

namespace tessera {
namespace {

/// Vectors of 16 bytes in plain C++.
template <class StorageType>
struct PlainLanes {
  using Storage = StorageType;
  using Real = Arithmetic<Storage>;
  using Vector [[gnu::vector_size(16)]] = Real;
  static constexpr std::uint32_t count = 16 / sizeof(Real);
  struct Stored {
    Storage value[count];
  };

  static Stored read(Storage const* p) { return *reinterpret_cast<Stored const*>(p); }
  static Stored merge(Stored s, std::uint32_t mask, Storage const* p) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((mask >> i & 1U) != 0) s.value[i] = p[i];
    }
    return s;
  }
  static Vector widen(Stored const& s) {
    Vector v{};
    for (std::uint32_t i = 0; i < count; ++i) v[i] = from_storage(s.value[i]);
    return v;
  }
  static void store(Storage* p, Vector const& v) {
    for (std::uint32_t i = 0; i < count; ++i) p[i] = to_storage<Storage>(v[i]);
  }
  static void finish() {}
};

}  // namespace

CpuKernels const generic_kernels =
    kernels_of<PlainLanes<float>, PlainLanes<double>, PlainLanes<Half>>("128-bit vectors");

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

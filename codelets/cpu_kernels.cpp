// SPDX-License-Identifier: MIT
#include "codelets/cpu_kernels.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <fmt/format.h>

#include "codelets/kernels_of_models.hpp"
#include "lattice/errors.hpp"

namespace tessera {

// Addresses alone, which constinit makes sure of.
// NOLINTBEGIN(cppcoreguidelines-interfaces-global-init)
struct CpuKernelTable {
  ModelTable<ModelKernels> of_model;
};

TESSERA_DECLARE_MODEL_TABLE(ModelKernels, generic_kernels_on)
static constinit CpuKernelTable const generic_table{TESSERA_MODEL_TABLE(generic_kernels_on)};
constinit CpuKernels const generic_kernels{"128-bit vectors", &generic_table};
#ifdef __x86_64__
TESSERA_DECLARE_MODEL_TABLE(ModelKernels, avx2_kernels_on)
static constinit CpuKernelTable const avx2_table{TESSERA_MODEL_TABLE(avx2_kernels_on)};
constinit CpuKernels const avx2_kernels{"AVX2", &avx2_table};
TESSERA_DECLARE_MODEL_TABLE(ModelKernels, avx512_kernels_on)
static constinit CpuKernelTable const avx512_table{TESSERA_MODEL_TABLE(avx512_kernels_on)};
constinit CpuKernels const avx512_kernels{"AVX-512", &avx512_table};
#endif
// NOLINTEND(cppcoreguidelines-interfaces-global-init)

CollideStreamKernel CpuKernels::kernel(FlowModel const& model, Precision precision) const {
  ModelKernels const* const kernels = table->of_model.find(model);
  if (kernels == nullptr) {
    throw BadInput(
        fmt::format("there is no kernel for {} with this collision operator and equilibrium",
                    velocities_of(model.lattice).name));
  }
  return (*kernels)[static_cast<std::size_t>(precision)];
}

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

// SPDX-License-Identifier: MIT
#include "codelets/lattice/cpu_kernels.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/machine/instructions.hpp"
#include "codelets/lattice/kernels_of_models.hpp"

namespace tessera {

// Addresses alone, which constinit makes sure of.
// NOLINTBEGIN(cppcoreguidelines-interfaces-global-init)
struct CpuKernelTable {
  ModelTable<ModelKernels> of_model;
};

#if TESSERA_FOR_GENERIC
TESSERA_DECLARE_MODEL_TABLE(ModelKernels, generic_kernels_on)
static constinit CpuKernelTable const generic_table{TESSERA_MODEL_TABLE(generic_kernels_on)};
constinit CpuKernels const generic_kernels{"128-bit vectors", &generic_table};
#endif
#if TESSERA_FOR_AVX2
TESSERA_DECLARE_MODEL_TABLE(ModelKernels, avx2_kernels_on)
static constinit CpuKernelTable const avx2_table{TESSERA_MODEL_TABLE(avx2_kernels_on)};
constinit CpuKernels const avx2_kernels{"AVX2", &avx2_table};
#endif
#if TESSERA_FOR_AVX512
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

CpuKernels const& best_cpu_kernels() {
  switch (best_instructions()) {
#if TESSERA_FOR_GENERIC
    case Instructions::generic:
      return generic_kernels;
#endif
#if TESSERA_FOR_AVX2
    case Instructions::avx2:
      return avx2_kernels;
#endif
#if TESSERA_FOR_AVX512
    case Instructions::avx512:
      return avx512_kernels;
#endif
    default:
      break;
  }
  __builtin_unreachable();  // no set that this build has not
}

}  // namespace tessera

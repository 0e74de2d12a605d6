// SPDX-License-Identifier: MIT
#include "codelets/spectral/core_kernels.hpp"

#include "base/machine/instructions.hpp"

namespace tessera::spectral {

CoreKernels const& best_core_kernels() {
  switch (best_instructions()) {
#if TESSERA_FOR_GENERIC
    case Instructions::generic:
      return generic_core_kernels;
#endif
#if TESSERA_FOR_AVX2
    case Instructions::avx2:
      return avx2_core_kernels;
#endif
#if TESSERA_FOR_AVX512
    case Instructions::avx512:
      return avx512_core_kernels;
#endif
    default:
      break;
  }
  __builtin_unreachable();  // no set that this build has not
}

}  // namespace tessera::spectral

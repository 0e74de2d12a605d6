// SPDX-License-Identifier: MIT
#include "methods/coprocessor/box_steps.hpp"

#include "base/machine/instructions.hpp"

namespace tessera {

BoxStep best_box_step() {
  switch (best_instructions()) {
#if TESSERA_FOR_GENERIC
    case Instructions::generic:
      return generic_box_step;
#endif
#if TESSERA_FOR_AVX2
    case Instructions::avx2:
      return avx2_box_step;
#endif
#if TESSERA_FOR_AVX512
    case Instructions::avx512:
      return avx512_box_step;
#endif
    default:
      break;
  }
  __builtin_unreachable();  // no set that this build has not
}

}  // namespace tessera

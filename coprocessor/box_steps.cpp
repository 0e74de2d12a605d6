// SPDX-License-Identifier: MIT
#include "coprocessor/box_steps.hpp"

#include "codelets/cpu_kernels.hpp"

namespace tessera {

BoxStep best_box_step() {
#ifdef __x86_64__
  CpuKernels const* const best = &best_cpu_kernels();
  if (best == &avx512_kernels) return avx512_box_step;
  if (best == &avx2_kernels) return avx2_box_step;
#endif
  return generic_box_step;
}

}  // namespace tessera

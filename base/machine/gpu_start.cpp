// SPDX-License-Identifier: MIT
#include "base/machine/gpu_start.hpp"

#include <cuda_runtime_api.h>

namespace tessera {

std::jthread start_gpu() {
  return std::jthread([] {
    cudaFree(nullptr);
    cudaGetLastError();  // who needs it will ask again
  });
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/machine/gpu_start.hpp"

#include <cuda_runtime_api.h>

#include "base/machine/cuda_call.hpp"

namespace tessera {

std::jthread start_gpu() {
  return std::jthread([] {
    cudaFree(nullptr);
    cudaGetLastError();  // who needs it will ask again
  });
}

void make_gpu_current(int gpu) { check_cuda(cudaSetDevice(gpu), "changing to another one"); }

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/machine/gpu_start.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <vector>

namespace tessera {
namespace {

void make_context(int gpu) {
  cudaSetDevice(gpu);
  cudaFree(nullptr);
  cudaGetLastError();  // who needs it will ask again
}

}  // namespace

std::jthread start_gpus(int most) {
  return std::jthread([most] {
    int present = 0;
    if (cudaGetDeviceCount(&present) != cudaSuccess) present = 0;
    std::vector<std::jthread> threads;
    for (int gpu = 0; gpu < std::min(present, most); ++gpu) threads.emplace_back(make_context, gpu);
  });
}

}  // namespace tessera

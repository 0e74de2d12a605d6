// SPDX-License-Identifier: MIT
#pragma once

#include "base/machine/cuda_call.hpp"

namespace tessera {

/// Makes a GPU the current one of this thread while an object exists.
class CurrentGpu {
 public:
  explicit CurrentGpu(int gpu) {
    check_cuda(cudaGetDevice(&before_), "looking at it");
    if (gpu != before_) check_cuda(cudaSetDevice(gpu), "changing to another one");
  }
  ~CurrentGpu() { cudaSetDevice(before_); }
  CurrentGpu(CurrentGpu const&) = delete;
  CurrentGpu& operator=(CurrentGpu const&) = delete;

 private:
  int before_ = 0;
};

}  // namespace tessera

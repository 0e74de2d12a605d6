// SPDX-License-Identifier: MIT
// Every call of the CUDA runtime outside of codelets and StarPU's start goes through here.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "base/errors.hpp"

namespace tessera {

/// Throws EnvironmentError unless the call succeeded; `doing` describes its purpose in a few words.
/// A later call reports errors inside kernels.
inline void check_cuda(cudaError_t status, char const* doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // do not let the next launch report it again
  throw EnvironmentError(std::string("GPU, ") + doing + ": " + cudaGetErrorString(status));
}

}  // namespace tessera

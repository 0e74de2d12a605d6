// SPDX-License-Identifier: MIT
// Every return code of CUDA in a codelet is checked here.
#pragma once

#include <starpu.h>

#include <source_location>

namespace tessera {

/// Codelets cannot throw: unless status is cudaSuccess, this prints where and what, and ends the
/// program.
inline void check_gpu(cudaError_t status,
                      std::source_location at = std::source_location::current()) {
  if (status == cudaSuccess) return;
  starpu_cuda_report_error(at.function_name(), at.file_name(), static_cast<int>(at.line()), status);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// In a build without CUDA.
#include "bench/literature/spectral/gas_runner.hpp"
#include "bench/without_cuda.hpp"

namespace tessera {
std::unique_ptr<GasRunner> fused_on_gpu(FusedCase const&) { refuse_without_cuda(); }
std::unique_ptr<GasRunner> unfused_on_gpu(UnfusedCase const&) { refuse_without_cuda(); }

}  // namespace tessera

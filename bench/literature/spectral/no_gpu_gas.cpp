// SPDX-License-Identifier: MIT
// In a build without CUDA.
#include "base/errors.hpp"
#include "bench/literature/spectral/gas_runner.hpp"

namespace tessera {
namespace {

[[noreturn]] void refuse() {
  throw EnvironmentError("this measurement needs a GPU, and this tessera was built without CUDA");
}

}  // namespace

std::unique_ptr<GasRunner> fused_on_gpu(FusedCase const&) { refuse(); }
std::unique_ptr<GasRunner> unfused_on_gpu(UnfusedCase const&) { refuse(); }

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/errors.hpp"
#include "bench/rivals.hpp"

namespace tessera {

std::unique_ptr<Rivals> rivals_on_gpu(BenchFlow const&) {
  throw EnvironmentError("this Tessera was built without CUDA");
}

}  // namespace tessera

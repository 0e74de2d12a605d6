// SPDX-License-Identifier: MIT
#include "bench/rivals.hpp"
#include "lattice/errors.hpp"

namespace tessera {

std::unique_ptr<Rivals> rivals_on_gpu(BenchFlow const&) {
  throw EnvironmentError("this Tessera was built without CUDA");
}

}  // namespace tessera

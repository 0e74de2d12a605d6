// SPDX-License-Identifier: MIT
#include "bench/rivals.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

[[noreturn]] void refuse() { throw EnvironmentError("this Tessera was built without CUDA"); }

}  // namespace

std::unique_ptr<Rivals> rivals_on_gpu(BenchFlow const&) { refuse(); }

double copy_on_gpu() { refuse(); }

}  // namespace tessera

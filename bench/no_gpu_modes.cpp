// SPDX-License-Identifier: MIT
// In a build without CUDA.
#include "bench/gpu_modes.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

[[noreturn]] int refuse() {
  throw EnvironmentError("this measurement needs a GPU, and this tessera was built without CUDA");
}

}  // namespace

int bench_transfers(GpuBenchOptions const&) { return refuse(); }
int bench_alignment(GpuBenchOptions const&) { return refuse(); }
int bench_layout(GpuBenchOptions const&) { return refuse(); }
int bench_threads(GpuBenchOptions const&) { return refuse(); }
int bench_domains(GpuBenchOptions const&) { return refuse(); }
int bench_collision(GpuBenchOptions const&) { return refuse(); }

}  // namespace tessera

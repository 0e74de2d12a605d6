// SPDX-License-Identifier: MIT
// In a build without CUDA.
#include "base/errors.hpp"
#include "bench/competitor.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"

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
int compete_on_gpu() { return refuse(); }

std::unique_ptr<Competitor> competitor_on_gpu(int) { refuse(); }

}  // namespace tessera

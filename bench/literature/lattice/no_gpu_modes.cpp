// SPDX-License-Identifier: MIT
// In a build without CUDA.
#include "bench/competitor.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/without_cuda.hpp"

namespace tessera {
int bench_transfers(GpuBenchOptions const&) { refuse_without_cuda(); }
int bench_alignment(GpuBenchOptions const&) { refuse_without_cuda(); }
int bench_layout(GpuBenchOptions const&) { refuse_without_cuda(); }
int bench_threads(GpuBenchOptions const&) { refuse_without_cuda(); }
int bench_domains(GpuBenchOptions const&) { refuse_without_cuda(); }
int bench_collision(GpuBenchOptions const&) { refuse_without_cuda(); }
int compete_on_gpu() { refuse_without_cuda(); }

std::unique_ptr<Competitor> competitor_on_gpu(int) { refuse_without_cuda(); }

}  // namespace tessera

// SPDX-License-Identifier: MIT
// `tessera bench threads`: how many threads a CUDA block should have. A master's thesis of 2018
// (Geneva, on the lattice Boltzmann method for Palabos) found multiples of 32 best, and 32 itself
// the best of them.
#include <fmt/format.h>

#include <cstdio>

#include "bench/literature/lattice/gpu_flow.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/literature/lattice/gpu_session.hpp"
#include "bench/literature/lattice/gpu_tile.hpp"
#include "bench/repeat.hpp"

namespace tessera {

int bench_threads(GpuBenchOptions const& options) {
  GpuSession session(
      "threads", options,
      GpuDense<float>::bytes_needed(options.size) + GpuTile<float>::bytes_needed(options.size));
  auto const parameters = bench_parameters(CollisionOperator::trt);
  GpuTile<float> tile(options.size, EquilibriumForm::linear, parameters);
  GpuDense<float> dense(options.size, DenseLayout::structure_of_arrays, EquilibriumForm::linear,
                        parameters);
  int best_threads = 0;
  double best = 0;
  fmt::print("threads  registers  spilled B  occupancy    us/step    MFLUPS     GB/s  of copy\n");
  for (int const threads : dense_threads) {
    dense.set_threads(threads);
    tile.require_agreement(dense, fmt::format("the step with {} threads", threads));
    double const seconds =
        seconds_per_sweep(options.repeats, [&](std::int64_t steps) { return dense.run(steps); });
    KernelUse const use = dense.kernel_use();
    StepRate const rate = rate_of<float>(options.size, seconds);
    if (rate.mflups > best) {
      best = rate.mflups;
      best_threads = threads;
    }
    fmt::print("{:7} {:10} {:10} {:9.0f}% {:10.1f} {:9.0f} {:8.0f} {:7.1f}%\n", threads,
               use.registers, use.spilled_bytes, 100 * use.occupancy, seconds * 1e6, rate.mflups,
               rate.gbs, 100 * rate.gbs / session.copy_gbs());
    std::fflush(stdout);
    session.add_row({{"threads", threads},
                     {"registers", use.registers},
                     {"spilled_bytes", use.spilled_bytes},
                     {"occupancy", use.occupancy},
                     {"us", seconds * 1e6},
                     {"mflups", rate.mflups},
                     {"gbs", rate.gbs},
                     {"share_of_copy", rate.gbs / session.copy_gbs()}});
  }
  fmt::print("best: {} threads\n", best_threads);
  session.set("best_threads", best_threads);
  return session.finish();
}

}  // namespace tessera

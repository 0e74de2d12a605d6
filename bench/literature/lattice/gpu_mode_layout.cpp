// SPDX-License-Identifier: MIT
// `tessera bench layout`: how the populations of a voxel lie in memory, and what Tessera's masks
// cost where there is nothing to mask.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/literature/lattice/gpu_flow.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/literature/lattice/gpu_session.hpp"
#include "bench/literature/lattice/gpu_tile.hpp"
#include "bench/repeat.hpp"

namespace tessera {
namespace {

void print_layout(GpuSession& session, GpuBenchOptions const& options, char const* name,
                  double seconds) {
  StepRate const rate = rate_of<float>(options.size, seconds);
  fmt::print("{:24} {:9.1f} {:9.0f} {:8.0f} {:7.1f}%\n", name, seconds * 1e6, rate.mflups, rate.gbs,
             100 * rate.gbs / session.copy_gbs());
  std::fflush(stdout);
  session.add_row({{"layout", name},
                   {"us", seconds * 1e6},
                   {"mflups", rate.mflups},
                   {"gbs", rate.gbs},
                   {"share_of_copy", rate.gbs / session.copy_gbs()}});
}

void measure_dense(GpuSession& session, GpuBenchOptions const& options, GpuTile<float>& tile,
                   DenseLayout layout, char const* name) {
  GpuDense<float> dense(options.size, layout, EquilibriumForm::linear,
                        bench_parameters(CollisionOperator::trt));
  tile.require_agreement(dense, name);
  print_layout(session, options, name, seconds_per_sweep(options.repeats, [&](std::int64_t steps) {
                 return dense.run(steps);
               }));
}

}  // namespace

int bench_layout(GpuBenchOptions const& options) {
  GpuSession session(
      "layout", options,
      GpuDense<float>::bytes_needed(options.size) + GpuTile<float>::bytes_needed(options.size));
  GpuTile<float> tile(options.size, EquilibriumForm::linear,
                      bench_parameters(CollisionOperator::trt));
  fmt::print("layout                     us/step    MFLUPS     GB/s  of copy\n");
  measure_dense(session, options, tile, DenseLayout::array_of_structures, "array of structures");
  measure_dense(session, options, tile, DenseLayout::structure_of_arrays, "structure of arrays");
  print_layout(
      session, options, "Tessera",
      seconds_per_sweep(options.repeats, [&](std::int64_t steps) { return tile.run(steps); }));
  return session.finish();
}

}  // namespace tessera

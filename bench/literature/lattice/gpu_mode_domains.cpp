// SPDX-License-Identifier: MIT
// `tessera bench domains`: cubes of many sizes beside a model of the time of a step.
//
// The model has the form of a master's thesis of 2018 (Geneva, on the lattice Boltzmann method for
// Palabos): T = T_launch + Psi N. Nothing of it is fitted: T_launch is the time of an empty kernel,
// Psi what 152 bytes take at the copy's bandwidth. The line through the measured times gives both
// as they turn out. Cubes that fit in the L2 cache may be faster than the model.
#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "bench/line_fit.hpp"
#include "bench/literature/lattice/gpu_flow.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/literature/lattice/gpu_session.hpp"
#include "bench/literature/lattice/gpu_tile.hpp"
#include "bench/repeat.hpp"

namespace tessera {
namespace {

/// Multiples of 32, and some of the sizes behind them, where the last blocks are all but empty.
constexpr std::int64_t edges[] = {16,  32,  33,  48,  64,  65,  96,  128,
                                  129, 160, 192, 256, 257, 320, 384, 448};

struct Times {
  std::vector<double> nodes;
  std::vector<double> dense;
  std::vector<double> tile;
};

void print_line(GpuSession& session, char const* name, std::vector<double> const& nodes,
                std::vector<double> const& seconds) {
  Line const line = fit_line(nodes, seconds);
  fmt::print("{}: time = {:.2f} us + {:.5f} ns N, R^2 = {:.6f}\n", name, line.intercept * 1e6,
             line.slope * 1e9, line.r_squared);
  session.set(name, {{"intercept_us", line.intercept * 1e6},
                     {"psi_ns", line.slope * 1e9},
                     {"r_squared", line.r_squared}});
}

}  // namespace

int bench_domains(GpuBenchOptions const& options) {
  GpuSession session(
      "domains", options,
      GpuDense<float>::bytes_needed(options.size) + GpuTile<float>::bytes_needed(options.size));
  auto const parameters = bench_parameters(CollisionOperator::trt);
  double const launch = seconds_per_sweep(options.repeats, run_empty_kernels);
  session.set("empty_kernel_us", launch * 1e6);
  fmt::print("an empty kernel: {:.2f} us\n", launch * 1e6);
  fmt::print(
      "edge      MB   model MFLUPS    dense  of model  of copy  Tessera  of model  of copy\n");
  Times beyond_cache;
  for (std::int64_t const edge : edges) {
    if (edge > options.size) break;
    GpuTile<float> tile(edge, EquilibriumForm::linear, parameters);
    GpuDense<float> dense(edge, DenseLayout::structure_of_arrays, EquilibriumForm::linear,
                          parameters);
    tile.require_agreement(dense, fmt::format("the dense step of {}^3", edge));
    double const dense_time =
        seconds_per_sweep(options.repeats, [&](std::int64_t steps) { return dense.run(steps); });
    double const tile_time =
        seconds_per_sweep(options.repeats, [&](std::int64_t steps) { return tile.run(steps); });

    std::size_t const bytes = GpuDense<float>::bytes_needed(edge);
    double const model_time = launch + static_cast<double>(bytes) * 1e-9 / session.copy_gbs();
    StepRate const model = rate_of<float>(edge, model_time);
    StepRate const dense_rate = rate_of<float>(edge, dense_time);
    StepRate const tile_rate = rate_of<float>(edge, tile_time);
    fmt::print("{:4} {:7.0f} {:14.0f} {:8.0f} {:8.1f}% {:7.1f}% {:8.0f} {:8.1f}% {:7.1f}%\n", edge,
               static_cast<double>(bytes) * 1e-6, model.mflups, dense_rate.mflups,
               100 * model_time / dense_time, 100 * dense_rate.gbs / session.copy_gbs(),
               tile_rate.mflups, 100 * model_time / tile_time,
               100 * tile_rate.gbs / session.copy_gbs());
    std::fflush(stdout);
    session.add_row({{"edge", edge},
                     {"bytes", bytes},
                     {"model_mflups", model.mflups},
                     {"dense_mflups", dense_rate.mflups},
                     {"dense_share_of_copy", dense_rate.gbs / session.copy_gbs()},
                     {"tessera_mflups", tile_rate.mflups},
                     {"tessera_share_of_copy", tile_rate.gbs / session.copy_gbs()}});
    if (bytes > 4 * session.cache_bytes()) {
      beyond_cache.nodes.push_back(static_cast<double>(edge * edge * edge));
      beyond_cache.dense.push_back(dense_time);
      beyond_cache.tile.push_back(tile_time);
    }
  }
  if (beyond_cache.nodes.size() > 2) {
    print_line(session, "dense", beyond_cache.nodes, beyond_cache.dense);
    print_line(session, "Tessera", beyond_cache.nodes, beyond_cache.tile);
  }
  return session.finish();
}

}  // namespace tessera

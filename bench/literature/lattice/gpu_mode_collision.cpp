// SPDX-License-Identifier: MIT
// `tessera bench collision`: what the choice of the collision costs Tessera's step. Obrecht et al.
// (Comput. Math. Appl. 61 (2011) 3628) had many relaxation times for 1.00 to 1.07 of the speed of
// one. Here BGK is TRT with equal rates, one kernel: a ratio other than 1 is the scatter.
#include <fmt/format.h>

#include <cstdio>

#include "bench/literature/lattice/gpu_flow.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/literature/lattice/gpu_session.hpp"
#include "bench/literature/lattice/gpu_tile.hpp"
#include "bench/repeat.hpp"

namespace tessera {
namespace {

/// MFLUPS, after a comparison with the dense step.
template <class Real>
double seconds_of(GpuBenchOptions const& options, EquilibriumForm equilibrium,
                  CollisionOperator collision) {
  auto const parameters = bench_parameters(collision);
  GpuTile<Real> tile(options.size, equilibrium, parameters);
  {
    GpuDense<Real> dense(options.size, DenseLayout::structure_of_arrays, equilibrium, parameters);
    tile.require_agreement(dense, "the dense step");
  }
  double const seconds =
      seconds_per_sweep(options.repeats, [&](std::int64_t steps) { return tile.run(steps); });
  return rate_of<Real>(options.size, seconds).mflups;
}

template <class Real>
void measure_all(GpuSession& session, GpuBenchOptions const& options) {
  constexpr double bytes = 2.0 * D3Q19::size * sizeof(Real);
  char const* const precision = sizeof(Real) == sizeof(float) ? "single" : "double";
  double stokes_trt = 0;
  for (EquilibriumForm const equilibrium :
       {EquilibriumForm::linear, EquilibriumForm::second_order}) {
    bool const stokes = equilibrium == EquilibriumForm::linear;
    char const* const name = stokes ? "Stokes" : "Navier-Stokes";
    double const bgk = seconds_of<Real>(options, equilibrium, CollisionOperator::bgk);
    double const trt = seconds_of<Real>(options, equilibrium, CollisionOperator::trt);
    if (stokes) stokes_trt = trt;
    auto const gbs = [](double mflups) { return mflups * bytes * 1e-3; };
    fmt::print("{:9} {:13} {:8.0f} {:7.1f}% {:8.0f} {:7.1f}% {:10.3f} {:14.3f}\n", precision, name,
               bgk, 100 * gbs(bgk) / session.copy_gbs(), trt, 100 * gbs(trt) / session.copy_gbs(),
               trt / bgk, trt / stokes_trt);
    std::fflush(stdout);
    session.add_row({{"precision", precision},
                     {"equilibrium", name},
                     {"bgk_mflups", bgk},
                     {"bgk_share_of_copy", gbs(bgk) / session.copy_gbs()},
                     {"trt_mflups", trt},
                     {"trt_share_of_copy", gbs(trt) / session.copy_gbs()},
                     {"trt_over_bgk", trt / bgk},
                     {"over_stokes", trt / stokes_trt}});
  }
}

}  // namespace

int bench_collision(GpuBenchOptions const& options) {
  GpuSession session(
      "collision", options,
      GpuDense<double>::bytes_needed(options.size) + GpuTile<double>::bytes_needed(options.size));
  fmt::print(
      "precision equilibrium        BGK  of copy      TRT  of copy    TRT/BGK    over Stokes\n");
  measure_all<float>(session, options);
  measure_all<double>(session, options);
  return session.finish();
}

}  // namespace tessera

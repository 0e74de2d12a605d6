// SPDX-License-Identifier: MIT
// A gas on a box of equal cells that is taken from stage to stage, somewhere, somehow.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/literature/spectral/unfused.hpp"
#include "bench/repeat.hpp"
#include "codelets/spectral/numbers.hpp"
#include "codelets/spectral/stage_data.hpp"

namespace tessera {

class GasRunner {
 public:
  virtual ~GasRunner() = default;
  /// Takes so many stages, or more, to end a step; returns the seconds of so many.
  virtual double run(std::int64_t stages) = 0;
  virtual std::int64_t points() const = 0;
  /// Of memory, where it is known.
  virtual std::size_t bytes() const { return 0; }
  /// The state at the first point of the first element.
  virtual std::vector<double> first_state() const = 0;
};

/// Seconds of a stage, by runs of `stages` of them and of multiples of that: see
/// seconds_per_sweep().
inline double seconds_a_stage(GasRunner& runner, int repeats, std::int64_t stages) {
  auto const run = [&](std::int64_t sweeps) { return runner.run(stages * sweeps); };
  return seconds_per_sweep(repeats, run) / static_cast<double>(stages);
}

/// What a fused stage runs on.
struct FusedCase {
  spectral::MeshOfGas const* of = nullptr;
  spectral::GasParameters parameters;
  spectral::Numbers numbers = spectral::Numbers::float64;
  std::int32_t tiles = 1;  ///< packs along the curve, in so many tiles
};

/// The first packs in one tile, the next ones in another and so on.
spectral::TileOfPack packs_in_tiles(spectral::MeshOfGas const& of, std::int32_t tiles);

/// Each of these throws EnvironmentError if there is no GPU, or none in this build.
std::unique_ptr<GasRunner> fused_on_gpu(FusedCase const& of);
/// Degree 1 to 6, double. Roe's solver, four stages a step.
std::unique_ptr<GasRunner> unfused_on_gpu(UnfusedCase const& of);

/// One core; fused in one tile.
std::unique_ptr<GasRunner> fused_on_core(FusedCase const& of);

/// What all start with.
inline spectral::Primitive<double> some_flow(spectral::Point const& at) {
  double const s = std::sin(0.1 * at[0]);
  return {1 + 0.1 * s, {0.3 + 0.1 * s, 0.2 - 0.05 * s, 0}, 1 + 0.05 * s};
}
/// At a point of an element that has n of them along each axis, at places xs.
template <std::size_t n>
spectral::State<double> unfused_state(UnfusedCase const& of, std::int64_t element, int point,
                                      std::array<double, n> const& xs) {
  double const x =
      static_cast<double>(element % of.cells[0]) + xs[static_cast<std::size_t>(point) % n];
  return spectral::conserved(some_flow({x, 0, 0}), spectral::Gas<double>{});
}

/// Stable on all meshes.
inline constexpr double bench_step = 1e-3;
/// Of the unfused ones, stage after stage: that of Integrator::jameson.
inline double unfused_step(std::int64_t stage) {
  return bench_step / static_cast<double>(4 - stage % 4);
}

}  // namespace tessera

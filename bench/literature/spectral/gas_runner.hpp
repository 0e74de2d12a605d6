// SPDX-License-Identifier: MIT
// A gas on a box of equal cells, advanced stage by stage: fused or not, on a GPU or a core.
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
  /// Takes `stages` stages, or more to end a step; returns the seconds that `stages` of them took.
  virtual double run(std::int64_t stages) = 0;
  virtual std::int64_t points() const = 0;
  /// Bytes of memory in use; 0 where that is not known.
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
  std::int32_t tiles = 1;  ///< that the packs along the curve are divided into
};

/// Packs divided into tiles in their order: the first ones in tile 0, the next ones in tile 1 ...
spectral::TileOfPack packs_in_tiles(spectral::MeshOfGas const& of, std::int32_t tiles);

/// Each of these throws EnvironmentError if there is no GPU, or none in this build.
std::unique_ptr<GasRunner> fused_on_gpu(FusedCase const& of);
/// The unfused kernels take degrees 1 to 6 in double, with Roe's solver and four stages a step.
std::unique_ptr<GasRunner> unfused_on_gpu(UnfusedCase const& of);

/// Fused stages on one core, all packs in one tile.
std::unique_ptr<GasRunner> fused_on_core(FusedCase const& of);

/// The flow that all runners start from.
inline spectral::Primitive<double> some_flow(spectral::Point const& at) {
  double const s = std::sin(0.1 * at[0]);
  return {1 + 0.1 * s, {0.3 + 0.1 * s, 0.2 - 0.05 * s, 0}, 1 + 0.05 * s};
}
/// Start state at a point of an element with n points along each axis, at the places xs.
template <std::size_t n>
spectral::State<double> unfused_state(UnfusedCase const& of, std::int64_t element, int point,
                                      std::array<double, n> const& xs) {
  double const x =
      static_cast<double>(element % of.cells[0]) + xs[static_cast<std::size_t>(point) % n];
  return spectral::conserved(some_flow({x, 0, 0}), spectral::Gas<double>{});
}

/// Time step that is stable on all meshes.
inline constexpr double bench_step = 1e-3;
/// Step of each stage of the unfused kernels, as Integrator::jameson takes it.
inline double unfused_step(std::int64_t stage) {
  return bench_step / static_cast<double>(4 - stage % 4);
}

}  // namespace tessera

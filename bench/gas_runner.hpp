// SPDX-License-Identifier: MIT
// A gas on a box of equal cells that is taken from stage to stage, somewhere, somehow.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/unfused.hpp"
#include "elements/numbers.hpp"
#include "elements/stage_data.hpp"

namespace tessera {

class GasRunner {
 public:
  virtual ~GasRunner() = default;
  /// Takes so many stages, at least; returns the seconds of one times `stages`.
  virtual double run(std::int64_t stages) = 0;
  virtual std::int64_t points() const = 0;
  /// Of memory, where it is known.
  virtual std::size_t bytes() const { return 0; }
  /// The state at the first point of the first element.
  virtual std::vector<double> first_state() const = 0;
};

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

/// Some smooth flow in cells of width 1: what all start with, here at a point of a cell.
inline spectral::Primitive<double> some_flow(double phase) {
  double const s = std::sin(phase);
  return {1 + 0.1 * s, {0.3 + 0.1 * s, 0.2 - 0.05 * s, 0}, 1 + 0.05 * s};
}
inline spectral::State<double> unfused_state(std::int64_t element, int point) {
  return spectral::conserved(some_flow(1e-3 * static_cast<double>(element % 4096) + 1e-2 * point),
                             spectral::Gas<double>{});
}
/// Of those without a case of their own; stable.
inline constexpr double unfused_step = 1e-3;

}  // namespace tessera

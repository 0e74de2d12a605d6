// SPDX-License-Identifier: MIT
// Measurements of a gas: integrals and extremes of each pack, then of all; the order does not
// matter.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/exact_sum.hpp"
#include "codelets/spectral/clock.hpp"
#include "codelets/spectral/numbers.hpp"
#include "codelets/spectral/point_sums.hpp"
#include "graph/tasks/submit.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// An exact flow, at a place and a time.
using ExactFlow = std::function<Primitive<double>(Point const& at, double time)>;

/// A measurement of all packs, after a step.
struct GasMeasurement {
  std::int64_t step = 0;
  double time = 0;
  double dt = 0;  ///< of the step that led here; 0 at the beginning
  GasIntegrals integrals;
  GasExtremes extremes;
  std::int32_t broken_pack =
      -1;  ///< one whose state is not finite, by its number in the mesh, or -1
};

/// A measurement as exact sums, to which the measurements of other ranks are added.
struct GasSums {
  std::int64_t step = 0;
  double time = 0;
  double dt = 0;
  ExactSums<GasIntegrals> sums;
  GasExtremes extremes;
  std::int32_t broken_pack = -1;

  GasMeasurement measurement() const {
    return {step, time, dt, sums.value(), extremes, broken_pack};
  }
};

/// The time of a state: known, or the end or the beginning of the step that a clock is of.
struct TimeOfState {
  std::optional<Clock> known{};  ///< at the end of this step
  bool is_end = true;
};

/// Freed by the task. What the pointers point to outlives it.
struct GasMeasureArguments {
  MeshOfGas const* of = nullptr;
  std::vector<std::int32_t> const* packs = nullptr;  ///< of the tile
  TileCounts counts;
  Numbers numbers = Numbers::float64;
  ExactFlow exact;  ///< a copy of the task's own
  TimeOfState time;
};

/// R state, R tables, R clock, W PackMeasurement [packs]; with an exact flow on a core.
void submit_gas_measure(DataHandle const& state, DataHandle const& tables, DataHandle const& clock,
                        DataHandle const& measured, GasMeasureArguments arguments,
                        Placement const& placement);

/// Freed by the task.
struct GasCollectArguments {
  std::int64_t step = 0;
  TimeOfState time;
  /// The numbers of each tile's packs; outlive the task.
  std::vector<std::vector<std::int32_t> const*> packs;
  std::function<void(GasSums const&)> deliver;  ///< on a worker's thread
};

/// Adds up what has been measured of all tiles: R clock, R PackMeasurement of each; on a core.
void submit_gas_collect(DataHandle const& clock, std::span<DataHandle const* const> measured,
                        GasCollectArguments arguments);

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// The tasks that measure a running flow: sums for each block, then one over all blocks, whose order
// does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/exact_sum.hpp"
#include "base/storage.hpp"
#include "codelets/lattice/block_sums.hpp"
#include "codelets/lattice/boundary_plan.hpp"
#include "graph/tasks/submit.hpp"
#include "models/lattice/lattice_kind.hpp"
#include "models/lattice/steady_functional.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// Constant arguments of a tile's measurements.
struct MeasureArguments {
  TileCounts counts;
  LatticeKind lattice = LatticeKind::d3q19;
  Precision precision = Precision::single_precision;
};

/// The sums of a tile's blocks: R AverageBox [blocks] -> W BlockSums [blocks]. The arguments
/// outlive the task.
void submit_measure(DataHandle const& populations, DataHandle const& tables,
                    DataHandle const& average_boxes, DataHandle const& sums,
                    MeasureArguments const& arguments, Placement const& placement);

/// A measurement of the whole flow at a step, in lattice units.
struct Measurement {
  std::int64_t step = 0;
  BlockSums total;
  /// Wall forces in the step before, by boundary condition; empty: none is measured, or no step has
  /// been taken.
  std::vector<WallForce> wall_forces;
  /// Terms of the functional from the state a step before and this one, if requested.
  std::optional<FunctionalTerms> functional;
  std::int32_t broken_tile = -1;  ///< a tile whose sums are not finite, or -1
};

/// A measurement as exact sums, to which the sums of other processes can be added.
struct MeasuredSums {
  std::int64_t step = 0;
  ExactSums<BlockSums> total;
  std::vector<ExactSums<WallForce>> wall_forces;
  std::optional<ExactSums<FunctionalTerms>> functional;
  std::int32_t broken_tile = -1;

  /// Visits each ExactSum, in the same order on all processes.
  template <class Visit>
  void for_each_sum(Visit&& visit) {
    auto const each = [&](auto& sums) { std::ranges::for_each(sums.all(), visit); };
    each(total);
    std::ranges::for_each(wall_forces, each);
    if (functional) each(*functional);
  }
  Measurement measurement() const;
};

/// Where the force of a group of links stands: the number of its tile among the tiles that have
/// groups, and its place there.
struct ForcePlace {
  std::uint32_t condition;
  std::int32_t buffer;
  std::int32_t place;
};

/// Arguments of one collection; freed by the task.
struct CollectArguments {
  std::int64_t step;
  /// Receives the sums, on a worker's thread.
  std::function<void(MeasuredSums)> deliver;
  std::int32_t first_tile = 0;  ///< number of the first of the tiles
  /// Number of wall forces in the measurement: of all conditions, with links or without.
  std::size_t wall_forces = 0;
  /// Places of the wall forces; nullptr: none. Outlives the task.
  std::vector<ForcePlace> const* forces = nullptr;
  std::size_t tiles = 0;                               ///< set by submit_collect()
  std::optional<std::size_t> first_functional_buffer;  ///< set by submit_collect()
};

/// Adds up the sums of all blocks and delivers them, on a core. `sums`: R
/// BlockSums of each tile; `forces`: R WallForce of the tiles that have any; `functionals`: R
/// FunctionalTerms of each tile, or none.
void submit_collect(std::span<DataHandle const* const> sums,
                    std::span<DataHandle const* const> forces,
                    std::span<DataHandle const* const> functionals,
                    std::unique_ptr<CollectArguments> arguments);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The tasks that measure a running flow: sums for each block, then one sum over all blocks in their
// global order.
#pragma once

#include <starpu.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "codelets/block_sums.hpp"
#include "codelets/boundary_plan.hpp"
#include "lattice/lattice_kind.hpp"
#include "lattice/storage.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// Constant arguments of a tile's measurements.
struct MeasureArguments {
  TileLayout layout;
  LatticeKind lattice = LatticeKind::d3q19;
  Precision precision = Precision::single_precision;
};

/// measure: the sums of a tile's blocks.
///
/// Argument: MeasureArguments.
/// Buffers: 0 R populations; 1 R tables; 2 R BlockWindow [blocks]; 3 W BlockSums [blocks].
starpu_codelet& measure_codelet();

/// What a measurement says about the whole flow at a step, in lattice units.
struct Sample {
  std::int64_t step = 0;
  BlockSums total;
  /// In the step before, of every boundary condition; empty: nobody asks, or no step has been
  /// taken.
  std::vector<WallForce> wall_forces;
  std::int32_t broken_tile = -1;  ///< a tile whose sums are not finite, or -1
};

/// Where the force of a group of links stands: the number of its tile among those that have any,
/// and its place there.
struct ForcePlace {
  std::int32_t block;
  std::uint32_t condition;
  std::int32_t buffer;
  std::int32_t place;
};

/// Arguments of one collection; freed by the task.
struct CollectArguments {
  std::int64_t step;
  /// Where the sums of a block stand, in global order: tile and place in it. Outlives the task.
  std::vector<std::pair<std::int32_t, std::int32_t>> const* places;
  /// Receives the sample, on a worker's thread.
  std::function<void(Sample const&)> deliver;
  /// How many the sample has: of all conditions, with links or without.
  std::size_t wall_forces = 0;
  /// In the order in which they are added; nullptr: none. Outlives the task.
  std::vector<ForcePlace> const* forces = nullptr;
  std::int32_t first_force_buffer = 0;
};

/// collect: adds up the sums of all blocks in global order and delivers a Sample. Runs on a core.
///
/// Argument: CollectArguments.
/// Buffers: R BlockSums of each tile; then R WallForce of the tiles that have any.
starpu_codelet& collect_codelet();

}  // namespace tessera

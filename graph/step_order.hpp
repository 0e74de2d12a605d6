// SPDX-License-Identifier: MIT
// In which order tiles take their steps: all tiles one step, or in sweeps, in which each tile takes
// several steps within a short time, so that it crosses the bus once for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/tiling.hpp"

namespace tessera {

/// The steps of a sweep count from 0.
struct TileStep {
  std::int32_t tile;
  std::int32_t step;
};

/// Tiles in levels, such that the levels of neighbours differ by 1 at most; and the waves that run
/// through them.
///
/// Step s of a tile at level l belongs to wave l + 2 s. A tile may take it as soon as its
/// neighbours, at the levels l - 1 to l + 1, have taken step s - 1; those are in the waves
///
///   l + 2 s - 3, l + 2 s - 2 and l + 2 s - 1,
///
/// all of them earlier ones. Nothing else must be watched: outboxes alternate between two buffers,
/// so step s + 2 overwrites what step s has written and what the neighbours read in their steps
/// s + 1; but these are just the steps that step s + 2 waits for. Sweeps follow each other whole,
/// so the same holds across their borders.
///
/// A tile's steps 0 to k - 1 lie 2 (k - 1) waves apart: the tiles of 2 k - 1 levels are in use at a
/// time.
class StepOrder {
 public:
  /// All tiles at one level: step after step, tiles by number.
  static StepOrder plain(Tiling const& tiling);
  /// Breadth-first from a tile at the rim (as Cuthill and McKee number unknowns), one connected
  /// piece behind the other. Where a box wraps, two fronts meet at the other end.
  static StepOrder by_levels(Tiling const& tiling);

  /// The waves of a sweep of some steps; those of one wave do not depend on each other. Backwards:
  /// from the last level to the first, so that the tiles that a sweep has left in memory are the
  /// first of the next.
  std::vector<std::vector<TileStep>> sweep(std::int32_t steps, bool backwards) const;

  std::vector<std::vector<std::int32_t>> const& levels() const { return levels_; }

 private:
  std::vector<std::vector<std::int32_t>> levels_;  ///< tiles of each
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// In which order tiles take their steps: all tiles one step, or in sweeps, in which each tile takes
// several steps within a short time (temporal blocking), so that it crosses the bus once for all of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partition/tile_levels.hpp"

namespace tessera {

/// By tile: the tiles that it reads from, ascending.
using Neighbours = std::vector<std::vector<std::int32_t>>;

/// The steps of a sweep count from 0.
struct TileStep {
  std::int32_t tile;
  std::int32_t step;
};

/// Steps that a tile takes one after the other, one a wave.
struct Visit {
  std::int32_t tile;
  std::int32_t first, last;  ///< steps
  std::int32_t wave;         ///< of the first

  std::int32_t last_wave() const { return wave + last - first; }
};

struct Sweep {
  std::vector<std::vector<TileStep>> waves;  ///< in each, what waits for another stands behind it
  std::vector<Visit> visits;                 ///< in the order of their first waves, and last ones
};

/// Tiles in levels, such that the levels of neighbours differ by 1 at most; and the waves that run
/// through them.
///
/// Step s of a tile at level l belongs to wave l + s, and the highest level of a wave comes first.
/// A tile may take step s as soon as its neighbours, at the levels l - 1 to l + 1, have taken the
/// step before; these steps are in the waves
///
///   l + s - 2, l + s - 1 and l + s,
///
/// the last of them in the same wave, but before. No other condition is needed: outboxes alternate
/// between two buffers, so step s + 2 overwrites what step s has written and what the neighbours
/// read in their steps s + 1; but these are just the steps that step s + 2 waits for. Sweeps follow
/// each other whole, so the same holds across their borders.
///
/// A wave by itself is a chain. But the step behind one in it and the one above it in the next wave
/// become ready together: waves run side by side, each a tile behind the one before.
///
/// A tile's steps 0 to k - 1 lie k - 1 waves apart: the tiles of k levels are in use at a time.
///
/// Around a ring of n levels the wave arrives where it has begun. Level i < k - 1 cannot take all
/// its steps at first, for its neighbour behind is the last to be visited: it takes steps 0 to i.
/// The others follow in a second visit, when the wave comes to "level" n + i, by the same rule.
///
/// Each sweep runs against the last one, beginning where the last one has ended: so the tiles that
/// the last sweep has left in memory are the first of the next.
class StepOrder {
 public:
  /// All tiles at one level: step after step, tiles by number.
  static StepOrder plain(std::size_t tiles);
  /// Breadth-first from a tile at the rim (as Cuthill and McKee number unknowns), one connected
  /// component after the other. Where a box wraps, two fronts meet at the other end.
  static StepOrder by_levels(Neighbours const& neighbours);

  /// Takes the levels as they are given.
  static StepOrder in_levels(TileLevels const& levels);

  /// The next sweep, of some steps.
  Sweep next_sweep(std::int32_t steps);

  std::vector<std::vector<std::int32_t>> const& levels() const { return levels_; }

 private:
  /// The level that the next sweep comes to as number `place`.
  std::int32_t level_at(std::int32_t place) const;

  std::vector<std::vector<std::int32_t>> levels_;  ///< tiles of each
  bool ring_ = false;
  bool backwards_ = false;  ///< the next sweep
  std::int32_t begin_ = 0;  ///< level that the next sweep begins with
};

}  // namespace tessera

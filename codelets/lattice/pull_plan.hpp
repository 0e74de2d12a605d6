// SPDX-License-Identifier: MIT
// Where the populations of a tile's nodes come from, laid out for the vectors of a core.
//
// A GPU finds its sources in each step by counting bits, which takes no additional time. On a core
// that would cost too many instructions: it counts once, and keeps the sources as pieces, each of
// which one masked load reads. Consecutive nodes mostly pull from consecutive ones, so a plan is a
// fifth of an index list (docs/performance.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/lattice/lattice_kind.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// Number of consecutive nodes that are pulled together, a group. Groups do not reach over the end
/// of a block; the last one ends in the gap behind the block.
inline constexpr std::uint32_t group_nodes = node_alignment;

/// Values of a line that a plan names, so many groups before it is needed.
inline constexpr std::int32_t line_values = node_alignment;
inline constexpr std::size_t groups_ahead = 16;

/// Whether a load of `group_nodes` values at `position`, for nodes whose own population stands at
/// `own`, finds its lines in the cache: they have been read for the groups before, or fetched since
/// the lattice is streamed through (collide_stream_kernel.hpp).
constexpr bool is_near(std::int64_t position, std::int64_t own) {
  return own - 2000 < position && position < own + 1400;
}

/// A plan is a list of pieces: lane i of a group pulls from `position + i` if bit i of `mask` is
/// set. `position` counts from the tile's first value. The tile has values at all lanes, also where
/// the bit is not set: no population 0 is pulled, so that there are some before all sources, and
/// Tile::population_values has room behind them.
///
/// The pieces of a group come in layers, each of one piece for each velocity of its kind; first the
/// layers of the velocities with c_x = -1, then 0, then 1, which are broken up alike. Nodes that no
/// layer names find a wall there: they take their own opposite population (half-way bounce-back).
///
/// What a group pulls from blocks that are not near it in memory is not in the cache, and the
/// processor does not foresee it. So the plan names the lines that will be loaded `groups_ahead`
/// groups later and that streaming through the lattice does not fetch; also lines of which no lane
/// is taken, as a masked load waits for all lines that it spans.
struct PullPlan {
  using LayerCounts = std::array<std::uint8_t, 3>;  ///< of a group, by c_x + 1
  struct Group {
    LayerCounts layers;
    std::uint8_t lines;  ///< to fetch
  };
  std::vector<Group> groups;            ///< in the order of the nodes
  std::vector<std::int32_t> positions;  ///< of all pieces
  std::vector<std::uint16_t> masks;     ///< of all pieces
  std::vector<std::int32_t> lines;  ///< positions at which `line_values` values shall be fetched

  bool empty() const { return groups.empty(); }
  std::size_t bytes() const {
    return groups.size() * sizeof(Group) +
           positions.size() * (sizeof(std::int32_t) + sizeof(std::uint16_t)) +
           lines.size() * sizeof(std::int32_t);
  }
};

PullPlan plan_pull(LatticeKind lattice, TileView const& tile);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// How the lattice of a flow becomes tiles for its workers: before the first step, and by
// repartitioning while it runs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "methods/lattice/flow_graph.hpp"
#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/lattice/tiling.hpp"
#include "partition/tile_levels.hpp"
#include "run/plan/tiles_asked.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// The tiles of a flow before its first step, and how they take their steps.
struct FlowTiles {
  Tiling tiling;
  int steps_per_sweep = 1;
  std::optional<TileLevels> levels;  ///< of the slabs of a lattice that does not fit
  std::int32_t rooms = 0;            ///< slabs that a GPU holds of it
  bool both_lattices = false;        ///< there is memory for two of each tile
  CutQuality quality;
  CutQuality along_curve;  ///< quality of as many tiles along a curve, for comparison
};

/// All ranks: cuts the blocks for these workers: by METIS, or into slabs where the lattice does not
/// fit into the memory of its GPUs. `periodic`: of the box.
FlowTiles plan_tiles(BlockGrid const& grid, std::array<bool, 3> periodic, Workers const& workers,
                     TilesAsked const& asked);

/// The graph of the blocks that METIS cuts for these workers.
BlockGraph graph_for(BlockGrid const& grid, Workers const& workers);

/// How one of so many processes, with these workers, cuts the part of each of its domains.
CutOfPart cut_of_parts(Workers const& workers, std::int32_t processes);

/// The tiles of a cut that has a part for each GPU, followed by one for all cores: each part in the
/// layout that suits it.
Tiling tiles_for(BlockGrid const& grid, TwoLevelCut const& cut, Workers const& workers);

/// All ranks: the tiles for other shares than the first.
Tiling cut_for(NewShares const& shares, BlockGrid const& grid, Workers const& workers,
               TilesAsked const& asked);

/// Repartitions a flow for other shares of its domains; for FlowOptions. None where the lattice
/// does not fit into the memory of its GPUs: such a lattice needs slabs of equal size. `grid` makes
/// the blocks again, which are not kept: most flows are never repartitioned.
CutAnew cut_anew_of(FlowTiles const& tiles, std::function<BlockGrid()> grid, Workers const& workers,
                    TilesAsked const& asked);

/// The options of a graph that concern tiles and workers, not the fluid. Without `grid` it is never
/// repartitioned. Needs a Runtime.
FlowOptions flow_options(FlowTiles const& tiles, Workers const& workers, TilesAsked const& asked,
                         std::function<BlockGrid()> grid);

}  // namespace tessera

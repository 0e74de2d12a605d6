// SPDX-License-Identifier: MIT
// How the lattice of a flow becomes tiles for its workers: before the first step, and anew while it
// runs.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "app/flow_run.hpp"
#include "app/sweeps.hpp"
#include "partition/cut.hpp"
#include "partition/tiling.hpp"

namespace tessera {

/// The blocks as METIS is to see them for these workers.
BlockGraph graph_for(BlockGrid const& grid, Workers const& workers);

/// The tiles of a cut that has a part for each GPU, and behind them one for all cores: each with
/// the layout that suits it.
Tiling tiles_for(BlockGrid const& grid, TwoLevelCut const& cut, Workers const& workers);

/// How the blocks become tiles, and how many steps they take at a time.
struct FirstCut {
  SweepPlan sweeps;
  TwoLevelCut cut;
};
FirstCut first_cut(BlockGrid const& grid, BlockGraph const& graph, std::array<bool, 3> periodic,
                   Workers const& workers, FlowCase const& flow_case);

FlowTiles flow_tiles(BlockGrid const& grid, FirstCut const& first, Workers const& workers);

/// The tiles for other shares of the domains than the first.
Tiling cut_for(std::vector<double> const& shares, BlockGrid const& grid, Workers const& workers,
               FlowCase const& flow_case);

/// Cuts a flow anew, for other shares of its domains than it was cut for. None where the lattice
/// does not fit into the memory of its GPUs: slabs of equal size are what lets it run. `grid` makes
/// the blocks again, which are not kept: most flows are never cut anew.
CutAnew cut_anew_of(FlowTiles const& tiles, std::function<BlockGrid()> grid, Workers const& workers,
                    FlowCase const& flow_case);
/// The same of a prepared flow, which must outlive it.
CutAnew cut_anew_of(FlowPreparation const& preparation, FlowCase const& flow_case);

/// What a graph is to be told of its tiles and of who computes them; not what flows.
FlowOptions flow_options(FlowTiles const& tiles, Workers const& workers, FlowCase const& flow_case,
                         CutAnew cut_anew);

}  // namespace tessera

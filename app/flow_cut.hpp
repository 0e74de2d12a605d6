// SPDX-License-Identifier: MIT
// How the lattice of a flow becomes tiles for its workers: before the first step, and anew while it
// runs.
#pragma once

#include "app/flow_run.hpp"
#include "partition/cut.hpp"
#include "partition/tiling.hpp"

namespace tessera {

/// The blocks as METIS is to see them for these workers.
BlockGraph graph_for(BlockGrid const& grid, Workers const& workers);

/// The tiles of a cut that has a part for each GPU, and behind them one for all cores: each with
/// the layout that suits it.
Tiling tiles_for(BlockGrid const& grid, TwoLevelCut const& cut, Workers const& workers);

/// Cuts a prepared flow anew, for other shares of its domains than it was prepared for. None where
/// the lattice does not fit into the memory of its GPUs: slabs of equal size are what lets it run.
/// The preparation must outlive it.
CutAnew cut_anew_of(FlowPreparation const& preparation, FlowCase const& flow_case);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The cut that the processes of a cluster make together, made by one.
#pragma once

#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"
#include "run/plan/tiles_asked.hpp"

namespace tessera {

/// Processes with as many GPUs each; none of these need be there.
struct Cluster {
  int ranks = 1;
  int gpus = 1;  ///< of all
  /// The box is one of many side by side: beyond its faces other processes go on, and no tile
  /// reaches around it.
  bool among_others = false;
  bool compact = false;  ///< cut by METIS alone, whatever a run would do

  bool alone() const { return ranks == 1 && !among_others; }
  int gpus_of_rank() const { return gpus / ranks; }
};

/// As a run of this cluster cuts: each rank its GPUs' parts, each of these into tiles. Its GPUs
/// have room for two lattices.
TwoLevelCut cut_for_cluster(BlockGrid const& grid, Cluster const& cluster, TilesAsked asked);

}  // namespace tessera

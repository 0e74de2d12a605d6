// SPDX-License-Identifier: MIT
// The task that copies density and velocity out of the populations.
#pragma once

#include <starpu.h>

#include "lattice/flow_model.hpp"
#include "lattice/storage.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// Constant arguments of a tile's snapshots.
struct SnapshotArguments {
  TileLayout layout;
  Precision precision = Precision::single_precision;
  FlowModel model;
  double force[3] = {};
};

/// Density shift and velocity of one node.
struct NodeState {
  float density_shift = 0;  ///< rho - 1
  float velocity[3] = {};   ///< in lattice units
};

/// snapshot: the state of a tile's nodes.
///
/// Argument: SnapshotArguments.
/// Buffers: 0 R populations; 1 R tables; 2 W NodeState [slots], by node.
starpu_codelet& snapshot_codelet();

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The task that copies density and velocity out of the populations.
#pragma once

#include "base/storage.hpp"
#include "graph/tasks/submit.hpp"
#include "models/lattice/flow_model.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// Constant arguments of a tile's snapshots.
struct SnapshotArguments {
  TileCounts counts;
  Precision precision = Precision::single_precision;
  FlowModel model;
  double force[3] = {};
};

/// Density shift and velocity of one node.
struct NodeState {
  float density_shift = 0;  ///< rho - 1
  float velocity[3] = {};   ///< in lattice units
};

constexpr NodeState mean_of(NodeState const& a, NodeState const& b) {
  NodeState mean{0.5F * (a.density_shift + b.density_shift), {}};
  for (int i = 0; i < 3; ++i) mean.velocity[i] = 0.5F * (a.velocity[i] + b.velocity[i]);
  return mean;
}

/// The state of a tile's nodes: NodeState [slots], by node. The argument, SnapshotArguments, lives
/// as long as the task.
void submit_snapshot(DataHandle const& populations, DataHandle const& tables,
                     DataHandle const& states, Argument arguments, Placement const& placement);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// A RunningFlow on the fluid nodes of a lattice, which looks visit one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/box.hpp"
#include "codelets/lattice/snapshot.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "run/running_flow.hpp"

namespace tessera {

class NodeFlow : public RunningFlow {
 public:
  /// A fluid node: its voxel in the box, its tile, its state in lattice units.
  using VisitNode = std::function<void(Int3 voxel, std::int32_t tile, NodeState const& state)>;

  /// Waits for the copy in a set and visits its nodes, on each rank its own; tiles are numbered
  /// among those of all ranks. The set is free then. May be called by another thread.
  virtual void visit_snapshots(std::size_t set, VisitNode const& visit) = 0;
  /// What each tile did so far; empty where there are none.
  virtual std::vector<TileReport> tile_reports() const { return {}; }
};

}  // namespace tessera

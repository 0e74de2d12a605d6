// SPDX-License-Identifier: MIT
// A flow on given tiles, to be measured.
#pragma once

#include <vector>

#include "base/storage.hpp"
#include "graph/runtime/runtime.hpp"
#include "methods/lattice/flow_graph.hpp"

namespace tessera {

/// Tiles, and who computes them.
struct TilingCase {
  Tiling const* tiling = nullptr;
  Precision precision = Precision::single_precision;
  unsigned cores = 1;
  Balance balance = Balance::dynamic;
  unsigned gpus = 0;
  /// Part p of the cut is worker p's alone: first the GPUs, then core by core.
  bool part_for_each_worker = false;
};

/// Starts a Runtime of its own: only one at a time. An older one would keep buffers of other tiles.
class TilingFlow {
 public:
  explicit TilingFlow(TilingCase const& tiling_case);

  /// Steps for about so many seconds; returns million node updates a second.
  double run(double seconds);
  FlowGraph& graph() { return graph_; }

 private:
  double nodes_;
  Runtime runtime_;
  FlowGraph graph_;
};

struct TilingSpeed {
  double mflups = 0;           ///< million node updates a second
  std::vector<double> busy_s;  ///< by tile: what its task takes of a worker, a step
};

/// Measured for about so many seconds.
TilingSpeed measure_tiling(TilingCase const& tiling_case, double seconds);

}  // namespace tessera

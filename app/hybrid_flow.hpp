// SPDX-License-Identifier: MIT
// A flow through a rock of spheres on chosen workers, to be measured.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/flow_run.hpp"
#include "graph/runtime.hpp"

namespace tessera {

/// Steps for about so many seconds; returns steps a second.
double steps_per_second(FlowGraph& graph, double seconds);

struct HybridCase {
  Geometry const* rock = nullptr;  ///< periodic
  Precision precision = Precision::single_precision;
  Workers workers;
  Balance balance = Balance::dynamic;
  int tiles = 0;
  std::int64_t nodes_per_tile = 0;
  int window = 4;
};

/// Starts a Runtime of its own: only one at a time.
class HybridFlow {
 public:
  explicit HybridFlow(HybridCase const& hybrid);
  HybridFlow(HybridFlow const&) = delete;  // the graph refers to the preparation
  HybridFlow& operator=(HybridFlow const&) = delete;

  std::int64_t nodes() const { return preparation_.tiling.nodes; }
  std::size_t tiles() const { return graph_->tiling().tiles.size(); }
  /// Steps for about so many seconds; returns million node updates a second.
  double run(double seconds);
  FlowGraph& graph() { return *graph_; }

 private:
  FlowPreparation preparation_;
  std::unique_ptr<Runtime> runtime_;  ///< its idle workers would disturb the preparation
  std::unique_ptr<FlowGraph> graph_;
};

}  // namespace tessera

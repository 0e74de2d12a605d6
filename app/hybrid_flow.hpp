// SPDX-License-Identifier: MIT
// A flow through a rock of spheres on chosen workers, to be measured.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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
  FlowModel model;
  std::string scheduler;        ///< empty: the usual one
  bool border_first = false;    ///< as in FlowOptions
  bool may_be_cut_anew = true;  ///< while it runs
};

/// The rock cut for its workers. There should be no Runtime: its idle workers would disturb.
FlowPreparation prepare_flow(HybridCase const& hybrid);

/// Starts a Runtime of its own: only one at a time.
class HybridFlow {
 public:
  explicit HybridFlow(HybridCase const& hybrid);
  /// On tiles that have been prepared before, for the same rock, precision and workers.
  HybridFlow(HybridCase const& hybrid, std::shared_ptr<FlowPreparation const> preparation);

  std::int64_t nodes() const { return preparation_->tiling.nodes; }
  std::size_t tiles() const { return graph_->tiling().tiles.size(); }
  /// Steps for about so many seconds; returns million node updates a second.
  double run(double seconds);
  FlowGraph& graph() { return *graph_; }

 private:
  std::shared_ptr<FlowPreparation const> preparation_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<FlowGraph> graph_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// A flow through a rock of spheres on chosen workers, to be measured.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "geometry/geometry.hpp"
#include "graph/runtime/runtime.hpp"
#include "run/plan/flow_tiles.hpp"

namespace tessera {

/// Steps for about so many seconds; returns steps a second.
double steps_per_second(FlowGraph& graph, double seconds);

struct HybridCase : TilesAsked {
  Geometry const* rock = nullptr;  ///< periodic
  Workers workers;
  std::string scheduler;        ///< empty: the usual one
  bool may_be_cut_anew = true;  ///< while it runs
  HaloExchange halo = HaloExchange::fused;
};

HybridCase hybrid_case(Geometry const& rock, Precision precision, Workers const& workers);

/// The rock cut for its workers. There should be no Runtime: its idle workers would disturb.
FlowTiles plan_tiles(HybridCase const& hybrid);

/// Starts a Runtime of its own: only one at a time.
class HybridFlow {
 public:
  explicit HybridFlow(HybridCase const& hybrid);
  /// A flow on tiles that have been made before, for the same rock, precision and workers.
  HybridFlow(HybridCase const& hybrid, std::shared_ptr<FlowTiles const> tiles);

  std::int64_t nodes() const { return tiles_->tiling.nodes; }
  std::size_t tiles() const { return graph_->tiling().tiles.size(); }
  /// Steps for about so many seconds; returns million node updates a second.
  double run(double seconds);
  FlowGraph& graph() { return *graph_; }

 private:
  std::shared_ptr<FlowTiles const> tiles_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<FlowGraph> graph_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// A flow that takes time steps on the task graph, as a NodeFlow.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "graph/runtime/runtime.hpp"
#include "run/checkpoint/spread_arrays.hpp"
#include "run/node_flow.hpp"

namespace tessera {

class GraphFlow : public NodeFlow {
 public:
  /// Arrays that are saved beside the populations.
  using Beside = std::function<std::vector<SpreadArray>()>;

  /// The graph must outlive it; a Runtime must be there.
  explicit GraphFlow(FlowGraph& graph, Beside beside = {})
      : graph_(graph), beside_(std::move(beside)) {}

  std::int64_t steps() const override { return graph_.steps(); }
  void submit_steps(std::int64_t count) override { graph_.submit_steps(count); }
  void wait() override { graph_.wait(); }
  void restart_counters() override { Runtime::restart_counters(); }

  std::int64_t nodes() const override { return graph_.tiling().nodes; }
  void submit_snapshots(std::size_t set) override { graph_.submit_snapshots(set); }
  void visit_snapshots(std::size_t set, VisitNode const& visit) override {
    graph_.visit_own_snapshots(set, visit);
  }
  std::vector<TileReport> tile_reports() const override { return graph_.tile_reports(); }
  std::vector<WorkClock::Use> worker_uses() const override { return graph_.worker_uses(); }

  SavedSize saved_size() const override;
  void save(CheckpointWriter* writer) override;
  void restore(std::int64_t step, CheckpointReader const& reader) override;

 private:
  void save_populations(CheckpointWriter* writer);

  FlowGraph& graph_;
  Beside beside_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "app/flow_cut.hpp"

#include <vector>

#include "app/tile_count.hpp"

namespace tessera {
namespace {

/// What a block costs a GPU besides its nodes, in nodes: from the speeds at porosities 0.15 to 0.6
/// (docs/performance.md).
constexpr std::int32_t gpu_work_per_block = 50;

}  // namespace

BlockGraph graph_for(BlockGrid const& grid, Workers const& workers) {
  return block_graph(grid, workers.gpus > 0 ? gpu_work_per_block : 0);
}

Tiling tiles_for(BlockGrid const& grid, TwoLevelCut const& cut, Workers const& workers) {
  std::vector<Layout> layouts(workers.gpus, Layout::together);
  layouts.push_back(Layout::apart);  // of the cores' part
  return build_tiling(grid, cut, layouts);
}

CutAnew cut_anew_of(FlowPreparation const& preparation, FlowCase const& flow_case) {
  if (preparation.levels) return {};
  return [&preparation, flow_case](std::vector<double> const& shares) {
    // The blocks are made again rather than kept: most flows are never cut anew.
    BlockGrid const grid(preparation.geometry, flow_case.model.lattice);
    BlockGraph const graph = graph_for(grid, preparation.workers);
    std::vector<Part> const parts =
        parts_for(shares, preparation.workers, grid.size(), grid.nodes(), flow_case);
    return tiles_for(grid, cut_in_two_levels(graph, parts), preparation.workers);
  };
}

}  // namespace tessera

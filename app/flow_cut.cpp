// SPDX-License-Identifier: MIT
#include "app/flow_cut.hpp"

#include <utility>

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

FirstCut first_cut(BlockGrid const& grid, BlockGraph const& graph, std::array<bool, 3> periodic,
                   Workers const& workers, FlowCase const& flow_case) {
  FirstCut first{.sweeps = plan_sweeps(grid, graph, periodic, workers, flow_case), .cut = {}};
  first.cut = first.sweeps.slabs
                  ? first.sweeps.slabs->cut
                  : cut_in_two_levels(graph, parts_for(planned_shares(workers), workers,
                                                       grid.size(), grid.nodes(), flow_case));
  return first;
}

FlowTiles flow_tiles(BlockGrid const& grid, FirstCut const& first, Workers const& workers) {
  FlowTiles tiles{.tiling = tiles_for(grid, first.cut, workers),
                  .steps_per_sweep = first.sweeps.steps,
                  .levels = {},
                  .rooms = first.sweeps.rooms};
  if (first.sweeps.slabs) tiles.levels = first.sweeps.slabs->levels;
  return tiles;
}

Tiling cut_for(std::vector<double> const& shares, BlockGrid const& grid, Workers const& workers,
               FlowCase const& flow_case) {
  auto const parts = parts_for(shares, workers, grid.size(), grid.nodes(), flow_case);
  return tiles_for(grid, cut_in_two_levels(graph_for(grid, workers), parts), workers);
}

CutAnew cut_anew_of(FlowTiles const& tiles, std::function<BlockGrid()> grid, Workers const& workers,
                    FlowCase const& flow_case) {
  if (tiles.levels) return {};
  return [grid = std::move(grid), workers, flow_case](std::vector<double> const& shares) {
    return cut_for(shares, grid(), workers, flow_case);
  };
}

CutAnew cut_anew_of(FlowPreparation const& preparation, FlowCase const& flow_case) {
  auto grid = [&geometry = preparation.geometry, lattice = flow_case.model.lattice] {
    return BlockGrid(geometry, lattice);
  };
  return cut_anew_of(preparation, std::move(grid), preparation.workers, flow_case);
}

FlowOptions flow_options(FlowTiles const& tiles, Workers const& workers, FlowCase const& flow_case,
                         CutAnew cut_anew) {
  FlowOptions options;
  options.precision = flow_case.precision;
  options.model = flow_case.model;
  options.window = flow_case.window;
  options.steps_per_sweep = tiles.steps_per_sweep;
  options.levels = tiles.levels;
  options.rooms = tiles.rooms;
  options.domains = domains_of(workers);
  options.balance = flow_case.balance;
  options.cut_anew = std::move(cut_anew);
  return options;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "plan/flow_tiles.hpp"

#include <utility>

#include "plan/sweeps.hpp"
#include "plan/tile_count.hpp"

namespace tessera {
namespace {

/// What a block costs a GPU besides its nodes, in nodes: from the speeds at porosities 0.15 to 0.6
/// (docs/performance.md).
constexpr std::int32_t gpu_work_per_block = 50;

TwoLevelCut cut_by_shares(std::vector<double> const& shares, BlockGrid const& grid,
                          BlockGraph const& graph, Workers const& workers,
                          TilesAsked const& asked) {
  return cut_in_two_levels(graph, parts_for(shares, workers, grid.size(), grid.nodes(), asked));
}

}  // namespace

BlockGraph graph_for(BlockGrid const& grid, Workers const& workers) {
  return block_graph(grid, workers.gpus > 0 ? gpu_work_per_block : 0);
}

Tiling tiles_for(BlockGrid const& grid, TwoLevelCut const& cut, Workers const& workers) {
  std::vector<Layout> layouts(workers.gpus, Layout::together);
  layouts.push_back(Layout::apart);  // of the cores' part
  return build_tiling(grid, cut, layouts);
}

FlowTiles plan_tiles(BlockGrid const& grid, std::array<bool, 3> periodic, Workers const& workers,
                     TilesAsked const& asked) {
  BlockGraph const graph = graph_for(grid, workers);
  SweepPlan const sweeps = plan_sweeps(grid, graph, periodic, workers, asked);
  TwoLevelCut const cut = sweeps.slabs
                              ? sweeps.slabs->cut
                              : cut_by_shares(planned_shares(workers), grid, graph, workers, asked);
  FlowTiles tiles{.tiling = tiles_for(grid, cut, workers),
                  .steps_per_sweep = sweeps.steps,
                  .levels = {},
                  .rooms = sweeps.rooms,
                  .quality = quality(graph, cut),
                  .along_curve = {}};
  if (sweeps.slabs) tiles.levels = sweeps.slabs->levels;
  tiles.along_curve = quality(graph, cut_along_curve(graph, tiles.quality.tiles));
  return tiles;
}

Tiling cut_for(std::vector<double> const& shares, BlockGrid const& grid, Workers const& workers,
               TilesAsked const& asked) {
  return tiles_for(grid, cut_by_shares(shares, grid, graph_for(grid, workers), workers, asked),
                   workers);
}

CutAnew cut_anew_of(FlowTiles const& tiles, std::function<BlockGrid()> grid, Workers const& workers,
                    TilesAsked const& asked) {
  if (tiles.levels) return {};
  return [grid = std::move(grid), workers, asked](std::vector<double> const& shares) {
    return cut_for(shares, grid(), workers, asked);
  };
}

FlowOptions flow_options(FlowTiles const& tiles, Workers const& workers, TilesAsked const& asked,
                         std::function<BlockGrid()> grid) {
  FlowOptions options;
  options.precision = asked.precision;
  options.model = asked.model;
  options.window = asked.window;
  options.steps_per_sweep = tiles.steps_per_sweep;
  options.levels = tiles.levels;
  options.rooms = tiles.rooms;
  options.domains = domains_of(workers);
  options.balance = asked.balance;
  if (grid) options.cut_anew = cut_anew_of(tiles, std::move(grid), workers, asked);
  return options;
}

}  // namespace tessera

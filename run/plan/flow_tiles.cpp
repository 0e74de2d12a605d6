// SPDX-License-Identifier: MIT
#include "run/plan/flow_tiles.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "partition/border_cut.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/row_cut.hpp"
#include "run/plan/rank_cut.hpp"
#include "run/plan/sweeps.hpp"
#include "run/plan/tile_count.hpp"

namespace tessera {
namespace {

/// Cost of a block on a GPU besides its nodes, in nodes, by the speeds at porosities 0.15 to 0.6
/// (docs/performance.md).
constexpr std::int32_t gpu_work_per_block = 50;

/// Collective: called by all ranks.
TwoLevelCut cut_by_shares(NewShares const& shares, BlockGrid const& grid, BlockGraph const& graph,
                          Workers const& workers, TilesAsked asked) {
  if (Ranks::alone()) {
    std::vector<Part> const parts =
        parts_for(shares.of_domains, workers, grid.size(), grid.nodes(), asked);
    return workers.several_gpus() ? cut_in_a_row(grid, graph, parts)
                                  : cut_in_two_levels(graph, parts);
  }
  double const own_share = shares.of_ranks[static_cast<std::size_t>(Ranks::rank())];
  if (asked.tiles > 0) asked.tiles = tiles_of_share(asked.tiles, own_share);
  return cut_over_ranks(
      graph, "blocks of 32 x 8 x 8 voxels", shares.of_ranks,
      [&](std::span<std::int32_t const> blocks) {
        std::int64_t nodes = 0;
        for (std::int32_t const b : blocks)
          nodes += grid.blocks()[static_cast<std::size_t>(b)].nodes;
        return parts_for(shares.of_domains, workers, static_cast<std::int32_t>(blocks.size()),
                         nodes, asked);
      },
      cut_of_parts(workers, Ranks::count()));
}

/// Bytes of populations on the GPU that has most of them.
std::int64_t bytes_of_lattice(Tiling const& tiling, Workers const& workers, Precision precision) {
  std::vector<std::size_t> values(workers.gpus, 0);
  for (Tile const& tile : tiling.tiles)
    values[static_cast<std::size_t>(tile.part)] += tile.population_values;
  return static_cast<std::int64_t>(*std::ranges::max_element(values) * bytes_of(precision));
}

}  // namespace

CutOfPart cut_of_parts(Workers const& workers, std::int32_t processes) {
  // Between few processes one large message takes longer than several that overlap.
  constexpr std::int32_t few = 4;
  return processes > few && workers.gpus_exchange() ? cut_border_first : cut_compactly;
}

BlockGraph graph_for(BlockGrid const& grid, Workers const& workers) {
  return block_graph(grid, workers.gpus > 0 ? gpu_work_per_block : 0);
}

Tiling tiles_for(BlockGrid const& grid, TwoLevelCut const& cut, Workers const& workers) {
  std::vector<Layout> layouts(workers.gpus, Layout::together);
  layouts.push_back(Layout::apart);  // the cores' part
  return build_tiling(grid, cut, layouts, Ranks::rank());
}

FlowTiles plan_tiles(BlockGrid const& grid, std::array<bool, 3> periodic, Workers const& workers,
                     TilesAsked const& asked) {
  BlockGraph const graph = graph_for(grid, workers);
  SweepPlan const sweeps = plan_sweeps(grid, graph, periodic, workers, asked);
  if (sweeps.steps > 1 && !sweeps.slabs)
    Ranks::expect_alone("several steps at a time without slabs");
  TwoLevelCut const cut =
      sweeps.slabs ? sweeps.slabs->cut
                   : cut_by_shares({planned_shares_of_ranks(workers), planned_shares(workers)},
                                   grid, graph, workers, asked);
  FlowTiles tiles{.tiling = tiles_for(grid, cut, workers),
                  .steps_per_sweep = sweeps.steps,
                  .levels = {},
                  .rooms = sweeps.rooms,
                  .quality = quality(graph, cut),
                  .along_curve = {}};
  if (sweeps.slabs) tiles.levels = levels_of_rank(*sweeps.slabs, Ranks::rank());
  if (workers.several_gpus() && !sweeps.slabs) {
    tiles.both_lattices =
        both_lattices_fit(bytes_of_lattice(tiles.tiling, workers, asked.precision), workers);
  }
  tiles.along_curve = quality(graph, cut_along_curve(graph, tiles.quality.tiles));
  return tiles;
}

Tiling cut_for(NewShares const& shares, BlockGrid const& grid, Workers const& workers,
               TilesAsked const& asked) {
  return tiles_for(grid, cut_by_shares(shares, grid, graph_for(grid, workers), workers, asked),
                   workers);
}

CutAnew cut_anew_of(FlowTiles const& tiles, std::function<BlockGrid()> grid, Workers const& workers,
                    TilesAsked const& asked) {
  if (tiles.levels) return {};
  return [grid = std::move(grid), workers, asked](NewShares const& shares) {
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
  options.both_lattices = tiles.both_lattices;
  options.domains = domains_of(workers);
  options.balance = asked.balance;
  if (grid) options.cut_anew = cut_anew_of(tiles, std::move(grid), workers, asked);
  return options;
}

}  // namespace tessera

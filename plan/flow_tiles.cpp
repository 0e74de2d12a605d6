// SPDX-License-Identifier: MIT
#include "plan/flow_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "lattice/errors.hpp"
#include "partition/row_cut.hpp"
#include "plan/sweeps.hpp"
#include "plan/tile_count.hpp"
#include "ranks/ranks.hpp"

namespace tessera {
namespace {

/// What a block costs a GPU besides its nodes, in nodes: from the speeds at porosities 0.15 to 0.6
/// (docs/performance.md).
constexpr std::int32_t gpu_work_per_block = 50;

/// The cuts of all ranks as one: each knows its own tiles.
TwoLevelCut numbered_over_ranks(TwoLevelCut const& own) {
  auto const tiles = Ranks::all_numbers(static_cast<std::int64_t>(own.part_of_tile.size()));
  std::int64_t const first =
      std::accumulate(tiles.begin(), tiles.begin() + Ranks::number(), std::int64_t{0});
  std::vector<std::int64_t> tile_of_block;
  for (std::int32_t const tile : own.tile_of_block)
    tile_of_block.push_back(tile < 0 ? 0 : first + tile);
  std::vector<std::int64_t> part_of_tile(
      static_cast<std::size_t>(std::accumulate(tiles.begin(), tiles.end(), std::int64_t{0})));
  std::ranges::copy(own.part_of_tile, part_of_tile.begin() + first);
  Ranks::add_up(tile_of_block);
  Ranks::add_up(part_of_tile);
  TwoLevelCut all{
      {tile_of_block.begin(), tile_of_block.end()}, {part_of_tile.begin(), part_of_tile.end()}, {}};
  for (std::size_t rank = 0; rank < tiles.size(); ++rank)
    all.rank_of_tile.insert(all.rank_of_tile.end(), static_cast<std::size_t>(tiles[rank]),
                            static_cast<std::int32_t>(rank));
  return all;
}

TwoLevelCut cut_by_shares(std::vector<double> const& shares, BlockGrid const& grid,
                          BlockGraph const& graph, Workers const& workers,
                          TilesAsked const& asked) {
  std::vector<Part> const parts = parts_for(shares, workers, grid.size(), grid.nodes(), asked);
  return workers.gpus_in_a_row() ? cut_in_a_row(grid, graph, parts)
                                 : cut_in_two_levels(graph, parts);
}

/// Of the GPU that has most.
std::int64_t bytes_of_lattice(Tiling const& tiling, Workers const& workers, Precision precision) {
  std::vector<std::size_t> values(workers.gpus, 0);
  for (Tile const& tile : tiling.tiles)
    values[static_cast<std::size_t>(tile.part)] += tile.population_values;
  return static_cast<std::int64_t>(*std::ranges::max_element(values) * bytes_of(precision));
}

/// What a rank can do beside the others, in cores. How much a GPU is worth matters only where some
/// have GPUs and others have none.
double capacity_of(Workers const& workers) {
  constexpr double cores_of_a_gpu = 200;
  return workers.gpus > 0 ? cores_of_a_gpu * workers.gpus / (1 - workers.cores_share)
                          : workers.cores;
}

/// Rank by rank: the first one cuts the blocks for all, each its own into tiles.
TwoLevelCut cut_over_ranks(BlockGrid const& grid, BlockGraph const& graph, Workers const& workers,
                           TilesAsked asked) {
  auto const capacities = Ranks::all_numbers(std::lround(1000 * capacity_of(workers)));
  auto const sum =
      static_cast<double>(std::accumulate(capacities.begin(), capacities.end(), std::int64_t{0}));
  std::vector<float> shares(capacities.size());
  std::ranges::transform(capacities, shares.begin(), [&](std::int64_t capacity) {
    return static_cast<float>(static_cast<double>(capacity) / sum);
  });
  std::vector<std::int32_t> rank_of_block(grid.blocks().size());
  if (Ranks::is_first()) rank_of_block = cut_for_ranks(graph, shares);
  Ranks::take_from_first(std::as_writable_bytes(std::span(rank_of_block)));

  std::int64_t nodes = 0;
  std::int32_t blocks = 0;
  for (std::size_t b = 0; b < rank_of_block.size(); ++b) {
    if (rank_of_block[b] != Ranks::number()) continue;
    nodes += grid.blocks()[b].nodes;
    ++blocks;
  }
  if (asked.tiles > 0) asked.tiles = std::max(1, asked.tiles / Ranks::count());
  return numbered_over_ranks(
      cut_of_rank(graph, rank_of_block, Ranks::number(),
                  parts_for(planned_shares(workers), workers, blocks, nodes, asked)));
}

}  // namespace

BlockGraph graph_for(BlockGrid const& grid, Workers const& workers) {
  return block_graph(grid, workers.gpus > 0 ? gpu_work_per_block : 0);
}

Tiling tiles_for(BlockGrid const& grid, TwoLevelCut const& cut, Workers const& workers) {
  std::vector<Layout> layouts(workers.gpus, Layout::together);
  layouts.push_back(Layout::apart);  // of the cores' part
  return build_tiling(grid, cut, layouts, Ranks::number());
}

FlowTiles plan_tiles(BlockGrid const& grid, std::array<bool, 3> periodic, Workers const& workers,
                     TilesAsked const& asked) {
  BlockGraph const graph = graph_for(grid, workers);
  SweepPlan const sweeps =
      Ranks::alone() ? plan_sweeps(grid, graph, periodic, workers, asked) : SweepPlan{};
  if (asked.steps_per_sweep > 1) Ranks::expect_alone("several steps on a tile at a time");
  TwoLevelCut const cut = !Ranks::alone() ? cut_over_ranks(grid, graph, workers, asked)
                          : sweeps.slabs
                              ? sweeps.slabs->cut
                              : cut_by_shares(planned_shares(workers), grid, graph, workers, asked);
  FlowTiles tiles{.tiling = tiles_for(grid, cut, workers),
                  .steps_per_sweep = sweeps.steps,
                  .levels = {},
                  .rooms = sweeps.rooms,
                  .quality = quality(graph, cut),
                  .along_curve = {}};
  if (sweeps.slabs) tiles.levels = sweeps.slabs->levels;
  if (workers.gpus_in_a_row() && !sweeps.slabs) {
    tiles.both_lattices =
        both_lattices_fit(bytes_of_lattice(tiles.tiling, workers, asked.precision), workers);
  }
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
  if (tiles.levels || !Ranks::alone()) return {};
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
  options.both_lattices = tiles.both_lattices;
  options.domains = domains_of(workers);
  options.balance = asked.balance;
  if (grid) options.cut_anew = cut_anew_of(tiles, std::move(grid), workers, asked);
  return options;
}

}  // namespace tessera

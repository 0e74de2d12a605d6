// SPDX-License-Identifier: MIT
#include "bench/cluster_cut.hpp"

#include <cstdlib>
#include <limits>

#include "partition/lattice/block_graph.hpp"
#include "partition/row_cut.hpp"
#include "run/plan/flow_tiles.hpp"
#include "run/plan/rank_cut.hpp"
#include "run/plan/tile_count.hpp"

namespace tessera {
namespace {

bool wraps(Int3 from, Int3 to) {
  Int3 const way = to - from;
  return std::abs(way.x) > 1 || std::abs(way.y) > 1 || std::abs(way.z) > 1;
}

/// The graph of a box whose faces lead elsewhere: the blocks beside them are outer ones.
BlockGraph opened(BlockGraph const& graph, BlockGrid const& grid) {
  BlockGraph open{.first_edge = {0},
                  .neighbour = {},
                  .links = {},
                  .cost = {},
                  .work = graph.work,
                  .curve_position = graph.curve_position,
                  .outer = std::vector<bool>(graph.work.size(), false)};
  auto const at = [&](std::size_t b) { return grid.blocks()[b].at; };
  for (std::size_t b = 0; b < graph.work.size(); ++b) {
    for (auto e = static_cast<std::size_t>(graph.first_edge[b]);
         e < static_cast<std::size_t>(graph.first_edge[b + 1]); ++e) {
      if (wraps(at(b), at(static_cast<std::size_t>(graph.neighbour[e])))) {
        open.outer[b] = true;
        continue;
      }
      open.neighbour.push_back(graph.neighbour[e]);
      open.links.push_back(graph.links[e]);
      open.cost.push_back(graph.cost[e]);
    }
    open.first_edge.push_back(static_cast<std::int32_t>(open.neighbour.size()));
  }
  return open;
}

/// Puts the cut of a rank behind those of the ranks before.
void append(TwoLevelCut& all, TwoLevelCut const& own, std::int32_t rank) {
  auto const first = static_cast<std::int32_t>(all.part_of_tile.size());
  for (std::size_t b = 0; b < own.tile_of_block.size(); ++b)
    if (own.tile_of_block[b] >= 0) all.tile_of_block[b] = first + own.tile_of_block[b];
  all.part_of_tile.insert(all.part_of_tile.end(), own.part_of_tile.begin(), own.part_of_tile.end());
  all.rank_of_tile.resize(all.part_of_tile.size(), rank);
}

}  // namespace

TwoLevelCut cut_for_cluster(BlockGrid const& grid, Cluster const& cluster, TilesAsked asked) {
  Workers const workers{.cores = 0,
                        .gpus = static_cast<unsigned>(cluster.gpus_of_rank()),
                        .beside_others = !cluster.alone()};
  BlockGraph const closed = graph_for(grid, workers);
  BlockGraph const graph = cluster.among_others ? opened(closed, grid) : closed;
  auto const ranks = static_cast<std::size_t>(cluster.ranks);
  asked.tiles /= cluster.ranks;
  std::vector<Part> const parts =
      parts_for(planned_shares(workers), workers, grid.size(), grid.nodes() / cluster.ranks, asked);
  if (cluster.alone() && workers.several_gpus() && !cluster.compact)
    return cut_in_a_row(grid, graph, parts);
  std::vector<std::int32_t> const rank_of_block =
      cut_for_ranks(graph, std::vector<float>(ranks, 1.0F / static_cast<float>(cluster.ranks)));
  std::int32_t const processes =
      cluster.among_others ? std::numeric_limits<std::int32_t>::max() : cluster.ranks;
  TwoLevelCut all{.tile_of_block = TileOfBlock(graph.work.size()), .part_of_tile = {}};
  for (std::int32_t rank = 0; rank < cluster.ranks; ++rank) {
    append(all,
           cut_of_rank(graph, rank_of_block, rank, parts,
                       cluster.compact ? cut_compactly : cut_of_parts(workers, processes)),
           rank);
  }
  return all;
}

}  // namespace tessera

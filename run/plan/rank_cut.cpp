// SPDX-License-Identifier: MIT
#include "run/plan/rank_cut.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/ranks/ranks.hpp"
#include "base/ranks/together.hpp"

namespace tessera {
namespace {

/// What a rank can do beside the others, in cores. How much a GPU is worth matters only where some
/// have GPUs and others have none.
double capacity_of(Workers const& workers) {
  constexpr double cores_of_a_gpu = 200;
  return workers.gpus > 0 ? cores_of_a_gpu * workers.gpus / (1 - workers.cores_share)
                          : workers.cores;
}

/// The cuts of all ranks as one: each knows its own tiles.
TwoLevelCut numbered_over_ranks(TwoLevelCut const& own) {
  auto const tiles = Ranks::all_gather(static_cast<std::int64_t>(own.part_of_tile.size()));
  std::int64_t const first =
      std::accumulate(tiles.begin(), tiles.begin() + Ranks::rank(), std::int64_t{0});
  std::vector<std::int64_t> tile_of_block;
  for (std::int32_t const tile : own.tile_of_block)
    tile_of_block.push_back(tile < 0 ? 0 : first + tile);
  std::vector<std::int64_t> part_of_tile(
      static_cast<std::size_t>(std::accumulate(tiles.begin(), tiles.end(), std::int64_t{0})));
  std::ranges::copy(own.part_of_tile, part_of_tile.begin() + first);
  Ranks::sum(tile_of_block);
  Ranks::sum(part_of_tile);
  TwoLevelCut all{
      {tile_of_block.begin(), tile_of_block.end()}, {part_of_tile.begin(), part_of_tile.end()}, {}};
  for (std::size_t rank = 0; rank < tiles.size(); ++rank)
    all.rank_of_tile.insert(all.rank_of_tile.end(), static_cast<std::size_t>(tiles[rank]),
                            static_cast<std::int32_t>(rank));
  return all;
}

}  // namespace

std::vector<double> planned_shares_of_ranks(Workers const& workers) {
  auto const capacities = Ranks::all_gather(std::lround(1000 * capacity_of(workers)));
  auto const sum =
      static_cast<double>(std::accumulate(capacities.begin(), capacities.end(), std::int64_t{0}));
  std::vector<double> shares;
  shares.reserve(capacities.size());
  for (std::int64_t const capacity : capacities)
    shares.push_back(static_cast<double>(capacity) / sum);
  return shares;
}

TwoLevelCut cut_over_ranks(BlockGraph const& graph, std::string_view blocks,
                           std::vector<double> const& shares, PartsOfRank const& parts,
                           CutOfPart const& cut_part) {
  std::vector<std::int32_t> rank_of_block = together([&] {
    return Ranks::is_root() ? cut_for_ranks(graph, {shares.begin(), shares.end()}, blocks)
                            : std::vector<std::int32_t>(graph.work.size());
  });
  Ranks::broadcast(std::as_writable_bytes(std::span(rank_of_block)));

  std::vector<std::int32_t> own;
  for (std::size_t b = 0; b < rank_of_block.size(); ++b) {
    if (rank_of_block[b] == Ranks::rank()) own.push_back(static_cast<std::int32_t>(b));
  }
  return numbered_over_ranks(
      cut_of_rank(graph, rank_of_block, Ranks::rank(), parts(own), cut_part));
}

int tiles_of_share(int tiles, double share) {
  constexpr double rounding = 1e-9;
  return std::max(1, static_cast<int>(tiles * share + rounding));
}

}  // namespace tessera

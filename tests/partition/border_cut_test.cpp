// SPDX-License-Identifier: MIT
#include "partition/border_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "geometry/generate.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {
namespace {

constexpr std::int32_t four_ranks = 4;

BlockGrid rock_of_blocks(Int3 shape) {
  return BlockGrid(overlapping_spheres(shape, 5, 0.4, 3).geometry);
}

/// Four ranks of one part each.
TwoLevelCut cut_in_ranks(BlockGraph const& graph, std::int32_t tiles, CutOfPart const& cut_part) {
  auto const rank_of_block =
      cut_for_ranks(graph, std::vector<float>(four_ranks, 1.0F / four_ranks));
  TwoLevelCut all{TileOfBlock(graph.work.size()), {}, {}};
  for (std::int32_t rank = 0; rank < four_ranks; ++rank) {
    TwoLevelCut const own = cut_of_rank(graph, rank_of_block, rank, {{1, tiles}}, cut_part);
    auto const first = static_cast<std::int32_t>(all.part_of_tile.size());
    for (std::size_t b = 0; b < own.tile_of_block.size(); ++b)
      if (own.tile_of_block[b] >= 0) all.tile_of_block[b] = first + own.tile_of_block[b];
    all.part_of_tile.resize(all.part_of_tile.size() + own.part_of_tile.size(), 0);
    all.rank_of_tile.resize(all.part_of_tile.size(), rank);
  }
  return all;
}

std::size_t messages(Tile const& tile, std::int32_t rank) {
  auto const leave = [&](Outbox const& outbox) { return outbox.rank != rank; };
  return tile.foreign.size() +
         static_cast<std::size_t>(std::ranges::count_if(tile.outboxes, leave));
}

TEST(BorderCut, OnlyTheFirstTileOfAPartMeetsOtherRanks) {
  BlockGrid const grid = rock_of_blocks({64, 64, 768});
  TwoLevelCut const cut = cut_in_ranks(block_graph(grid), 3, cut_border_first);
  ASSERT_EQ(cut.part_of_tile.size(), std::size_t{3} * four_ranks);
  for (std::int32_t rank = 0; rank < four_ranks; ++rank) {
    Tiling const tiling = build_tiling(grid, cut, {Layout::together}, rank);
    ASSERT_EQ(tiling.tiles.size(), 3U);
    // As many out as in, and one for each of the other ranks at most.
    EXPECT_LE(messages(tiling.tiles[0], rank), 2U * (four_ranks - 1));
    EXPECT_GE(messages(tiling.tiles[0], rank), 2U);
    for (std::size_t t : {1U, 2U}) EXPECT_EQ(messages(tiling.tiles[t], rank), 0U) << t;
  }
}

TEST(BorderCut, TilesHaveTheSameWork) {
  BlockGraph const graph = block_graph(rock_of_blocks({64, 64, 768}));
  for (std::int32_t const tiles : {3, 5, 8})
    EXPECT_LT(quality(graph, cut_in_ranks(graph, tiles, cut_border_first)).imbalance, 0.05)
        << tiles;
}

TEST(BorderCut, AsManyTilesAsHoldTheBorderComeFirst) {
  // Sixteen blocks in a row, the first and the last four of which lead elsewhere.
  BlockGraph graph{.first_edge = {0},
                   .neighbour = {},
                   .links = {},
                   .cost = {},
                   .work = std::vector<std::int32_t>(16, 100),
                   .curve_position = std::vector<std::uint64_t>(16),
                   .outer = std::vector<bool>(16, false)};
  for (std::int32_t b = 0; b < 16; ++b) {
    graph.outer[static_cast<std::size_t>(b)] = b < 4 || b >= 12;
    for (std::int32_t const n : {b - 1, b + 1})
      if (n >= 0 && n < 16) graph.neighbour.push_back(n);
    graph.first_edge.push_back(static_cast<std::int32_t>(graph.neighbour.size()));
  }
  graph.links.assign(graph.neighbour.size(), 10);
  graph.cost = graph.links;
  std::iota(graph.curve_position.begin(), graph.curve_position.end(), 0);
  TileOfBlock const four = cut_border_first(graph, 4);
  for (std::int32_t b = 0; b < 16; ++b)
    EXPECT_EQ(four[static_cast<std::size_t>(b)] < 2, graph.is_outer(b)) << b;
  EXPECT_EQ(*std::ranges::max_element(four), 3);
  // One of two has room for the border; of three two are needed, and what is left of them lies next
  // to it.
  EXPECT_EQ(cut_border_first(graph, 2),
            (TileOfBlock{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
  TileOfBlock const three = cut_border_first(graph, 3);
  EXPECT_EQ(std::ranges::count(three, 2), 5);
  for (std::size_t b : {6U, 7U, 8U, 9U}) EXPECT_EQ(three[b], 2) << b;
}

TEST(BorderCut, IsMetisCutWhereThereIsNoBorderOrNothingElse) {
  BlockGraph graph = block_graph(rock_of_blocks({128, 64, 64}));
  EXPECT_EQ(cut_border_first(graph, 5), cut_with_metis(graph, 5));
  graph.outer.assign(graph.work.size(), true);
  EXPECT_EQ(cut_border_first(graph, 5), cut_with_metis(graph, 5));
}

TEST(BorderCut, NoTileIsEmptyHoweverManyAreAskedFor) {
  BlockGrid const grid = rock_of_blocks({64, 64, 64});
  TwoLevelCut const cut = cut_in_ranks(block_graph(grid), 1000, cut_border_first);
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(cut.part_of_tile.size()); ++t)
    EXPECT_GE(std::ranges::count(cut.tile_of_block, t), 1) << t;
}

}  // namespace
}  // namespace tessera

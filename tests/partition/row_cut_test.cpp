// SPDX-License-Identifier: MIT
#include "partition/row_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "geometry/generate.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {
namespace {

BlockGrid rock_in_a_row(Int3 shape) {
  return BlockGrid(overlapping_spheres(shape, 5, 0.4, 3).geometry);
}

std::vector<std::int64_t> work_of_parts(BlockGraph const& graph, TwoLevelCut const& cut,
                                        std::size_t parts) {
  std::vector<std::int64_t> work(parts, 0);
  for (std::size_t b = 0; b < cut.tile_of_block.size(); ++b) {
    auto const tile = static_cast<std::size_t>(cut.tile_of_block[b]);
    work[static_cast<std::size_t>(cut.part_of_tile[tile])] += graph.work[b];
  }
  return work;
}

TEST(RowCut, ATileHasTwoNeighboursAndAPartTwoTilesThatOthersRead) {
  BlockGrid const grid = rock_in_a_row({64, 64, 256});  // 32 layers along z
  TwoLevelCut const cut = cut_in_a_row(grid, block_graph(grid), {{1, 4}, {1, 4}, {1, 4}});
  ASSERT_EQ(cut.part_of_tile, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
  Tiling const tiling = build_tiling(grid, cut, std::vector<Layout>(3, Layout::together));
  for (std::size_t t = 0; t < tiling.tiles.size(); ++t) {
    Tile const& tile = tiling.tiles[t];
    EXPECT_LE(tile.neighbours.size(), 2U) << t;
    EXPECT_NEAR(tile.counts.nodes, static_cast<double>(grid.nodes()) / 12, 2048) << t;
    bool const outer = t % 4 < 2;
    for (std::int32_t const n : tile.neighbours) {
      std::int32_t const part = tiling.tiles[static_cast<std::size_t>(n)].part;
      EXPECT_TRUE(outer || part == tile.part) << t;
    }
  }
}

TEST(RowCut, LiesAlongTheAxisAcrossWhichFewestLinksAreCut) {
  for (Axis const longest : all_axes) {
    Int3 shape{64, 64, 64};
    shape[longest] = 512;
    BlockGrid const grid = rock_in_a_row(shape);
    TwoLevelCut const cut = cut_in_a_row(grid, block_graph(grid), {{1, 2}, {1, 2}});
    std::set<std::pair<std::int64_t, std::int32_t>> layers_of_parts;
    for (std::size_t b = 0; b < cut.tile_of_block.size(); ++b) {
      auto const tile = static_cast<std::size_t>(cut.tile_of_block[b]);
      layers_of_parts.insert({grid.blocks()[b].at[longest], cut.part_of_tile[tile]});
    }
    std::int64_t const layers = shape[longest] / (longest == Axis::x ? 32 : 8);
    // One layer at most is shared by two parts.
    EXPECT_LE(static_cast<std::int64_t>(layers_of_parts.size()), layers + 1) << index_of(longest);
  }
}

TEST(RowCut, PartsHaveTheSharesAskedFor) {
  BlockGrid const grid = rock_in_a_row({64, 64, 512});
  BlockGraph const graph = block_graph(grid);
  std::vector<Part> const parts{{0.6, 8}, {0.3, 4}, {0.1, 3}};
  TwoLevelCut const cut = cut_in_a_row(grid, graph, parts);
  auto const work = work_of_parts(graph, cut, parts.size());
  auto const total = static_cast<double>(grid.nodes());
  for (std::size_t p = 0; p < parts.size(); ++p)
    EXPECT_NEAR(static_cast<double>(work[p]) / total, parts[p].share, 2048 / total) << p;
}

TEST(RowCut, NoTileIsEmptyHoweverManyAreAskedFor) {
  BlockGrid const grid = rock_in_a_row({64, 16, 24});
  TwoLevelCut const cut = cut_in_a_row(grid, block_graph(grid), {{1, 500}, {1, 500}});
  EXPECT_EQ(static_cast<std::int32_t>(cut.part_of_tile.size()), grid.size());
  EXPECT_TRUE(std::ranges::is_sorted(cut.part_of_tile));
  for (std::int32_t t = 0; t < grid.size(); ++t)
    EXPECT_EQ(std::ranges::count(cut.tile_of_block, t), 1) << t;
}

}  // namespace
}  // namespace tessera

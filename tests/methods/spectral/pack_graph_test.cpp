// SPDX-License-Identifier: MIT
#include "methods/spectral/pack_graph.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "tests/codelets/spectral/flows.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

/// For each tile those that it shares sides with.
std::vector<std::set<std::int32_t>> neighbours(BlockGraph const& graph, TwoLevelCut const& cut) {
  std::vector<std::set<std::int32_t>> found(cut.part_of_tile.size());
  for (std::size_t p = 0; p < cut.tile_of_block.size(); ++p) {
    std::int32_t const tile = cut.tile_of_block[p];
    for (auto e = graph.first_edge[p]; e < graph.first_edge[p + 1]; ++e) {
      auto const other = static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)]);
      if (cut.tile_of_block[other] != tile)
        found[static_cast<std::size_t>(tile)].insert(cut.tile_of_block[other]);
    }
  }
  return found;
}

/// A ring of four parts of four tiles, of which each meets two others.
void expect_a_row(MeshOfGas const& of) {
  BlockGraph const graph = pack_graph(of);
  TwoLevelCut const cut = cut_packs_in_a_row(of, std::vector<Part>(4, {1, 4}));
  ASSERT_EQ(cut.part_of_tile.size(), 16U);
  EXPECT_LT(quality(graph, cut).imbalance, 0.03);
  auto const found = neighbours(graph, cut);
  for (std::size_t t = 0; t < found.size(); ++t) {
    EXPECT_EQ(found[t].size(), 2U) << t;
    bool const outer = t % 4 < 2;
    for (std::int32_t const n : found[t])
      EXPECT_TRUE(outer || cut.part_of_tile[static_cast<std::size_t>(n)] == cut.part_of_tile[t])
          << t;
  }
}

TEST(PackGraph, InARowATileMeetsTwo) {
  // The longest axis is the row's, whichever it is.
  expect_a_row(gas_in({.dimension = 3, .cells = {8, 8, 64}, .size = {1, 1, 8}}));
  expect_a_row(gas_in({.dimension = 3, .cells = {96, 8, 12}, .size = {8, 1, 1}}));
  expect_a_row(gas_in({.dimension = 2, .cells = {24, 96, 1}, .size = {1, 4, 1}}));
}

TEST(PackGraph, InARowATileMeetsTwoWhereLayersBendByLessThanATile) {
  expect_a_row(gas_in({.dimension = 3,
                       .cells = {10, 10, 64},
                       .size = {1, 1, 4},
                       .map_degree = 2,
                       .bend = bent_cube,
                       .turn = turned(3)}));
}

TEST(PackGraph, ARowOfMoreTilesThanPacksHasNoneThatIsEmpty) {
  MeshOfGas const of = gas_in({.dimension = 3, .cells = {4, 4, 4}});
  TwoLevelCut const cut = cut_packs_in_a_row(of, std::vector<Part>(2, {1, 50}));
  EXPECT_EQ(cut.part_of_tile.size(), of.packs.packs.size());
}

}  // namespace
}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
#include "partition/cut.hpp"

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "models/lattice/d3q19.hpp"
#include "partition/lattice/block_graph.hpp"
#include "tests/partition/lattice/random_geometry.hpp"

namespace tessera {
namespace {

Geometry rock_to_cut(Int3 shape) { return overlapping_spheres(shape, 5, 0.35, 3).geometry; }

std::vector<std::int64_t> nodes_of_tiles(BlockGraph const& graph, TileOfBlock const& cut) {
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(*std::ranges::max_element(cut)) + 1, 0);
  for (std::size_t b = 0; b < cut.size(); ++b)
    nodes[static_cast<std::size_t>(cut[b])] += graph.work[b];
  return nodes;
}

std::int64_t sum(std::vector<std::int64_t> const& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

TEST(Cut, GraphIsThatOfTheBlocks) {
  BlockGrid const grid(test::random_geometry({70, 21, 19}, 0.3, 5));
  BlockGraph const graph = block_graph(grid);
  ASSERT_EQ(graph.work.size(), static_cast<std::size_t>(grid.size()));
  ASSERT_EQ(graph.first_edge.size(), graph.work.size() + 1);
  ASSERT_EQ(graph.neighbour.size(), graph.links.size());
  ASSERT_EQ(graph.neighbour.size(), graph.cost.size());
  std::map<std::pair<std::int32_t, std::int32_t>, std::pair<std::int32_t, std::int32_t>> edges;
  for (std::int32_t b = 0; b < grid.size(); ++b) {
    EXPECT_EQ(graph.work[static_cast<std::size_t>(b)],
              grid.blocks()[static_cast<std::size_t>(b)].nodes);
    for (auto e = static_cast<std::size_t>(graph.first_edge[static_cast<std::size_t>(b)]);
         e < static_cast<std::size_t>(graph.first_edge[static_cast<std::size_t>(b) + 1]); ++e) {
      EXPECT_NE(graph.neighbour[e], b) << "a loop";
      std::pair const weights{graph.links[e], graph.cost[e]};
      EXPECT_TRUE(edges.emplace(std::pair{b, graph.neighbour[e]}, weights).second);
    }
  }
  for (auto const& [ends, weights] : edges) {
    EXPECT_GT(weights.first, 0);
    EXPECT_GE(weights.second, weights.first);
    EXPECT_EQ(edges.at({ends.second, ends.first}), weights) << "METIS wants symmetry";
  }
}

TEST(Cut, MetisMakesEqualTilesWithoutAGap) {
  BlockGraph const graph = block_graph(BlockGrid(rock_to_cut({192, 64, 64})));  // 384 blocks
  for (std::int32_t const tiles : {1, 2, 7, 16}) {
    TileOfBlock const cut = cut_with_metis(graph, tiles);
    std::vector<std::int64_t> const nodes = nodes_of_tiles(graph, cut);
    ASSERT_EQ(nodes.size(), static_cast<std::size_t>(tiles));
    double const mean = static_cast<double>(sum(nodes)) / tiles;
    for (std::int64_t const n : nodes) EXPECT_NEAR(static_cast<double>(n) / mean, 1, 0.05);
  }
}

TEST(Cut, RespectsTargetWeights) {
  BlockGraph const graph = block_graph(BlockGrid(rock_to_cut({192, 64, 64})));
  std::vector<float> const shares{0.4F, 0.3F, 0.2F, 0.1F};
  for (bool const metis : {true, false}) {
    TileOfBlock const cut =
        metis ? cut_with_metis(graph, 4, shares) : cut_along_curve(graph, 4, shares);
    std::vector<std::int64_t> const nodes = nodes_of_tiles(graph, cut);
    ASSERT_EQ(nodes.size(), 4U);
    for (std::size_t t = 0; t < 4; ++t) {
      double const share = static_cast<double>(nodes[t]) / static_cast<double>(sum(nodes));
      EXPECT_NEAR(share / static_cast<double>(shares[t]), 1, 0.05) << "tile " << t;
    }
  }
}

TEST(Cut, NoTileIsEmptyEvenOfVeryFewBlocks) {
  for (Int3 const shape : {Int3{64, 16, 8}, Int3{70, 45, 37}}) {
    BlockGraph const graph = block_graph(BlockGrid(test::random_geometry(shape, 0.3, 8)));
    auto const blocks = static_cast<std::int32_t>(graph.work.size());
    for (std::int32_t tiles = 1; tiles <= blocks; tiles += 1 + tiles / 4) {
      for (TileOfBlock const& cut : {cut_with_metis(graph, tiles), cut_along_curve(graph, tiles)}) {
        ASSERT_EQ(cut.size(), graph.work.size());
        EXPECT_GE(*std::ranges::min_element(cut), 0);
        EXPECT_LT(*std::ranges::max_element(cut), tiles);
        std::set<std::int32_t> const used(cut.begin(), cut.end());
        EXPECT_EQ(*used.rbegin() + 1, static_cast<std::int32_t>(used.size())) << tiles << " tiles";
      }
    }
  }
}

TEST(Cut, TheSameGraphGivesTheSameCut) {
  BlockGraph const graph = block_graph(BlockGrid(rock_to_cut({96, 40, 40})));
  EXPECT_EQ(cut_with_metis(graph, 6), cut_with_metis(graph, 6));
}

TEST(Cut, AlongTheCurveIsInConsecutivePieces) {
  BlockGraph const graph = block_graph(BlockGrid(rock_to_cut({96, 40, 40})));
  TileOfBlock const cut = cut_along_curve(graph, 6);
  std::vector<std::pair<std::uint64_t, std::int32_t>> along;
  along.reserve(cut.size());
  for (std::size_t b = 0; b < cut.size(); ++b) along.emplace_back(graph.curve_position[b], cut[b]);
  std::ranges::sort(along);
  EXPECT_TRUE(std::ranges::is_sorted(along, {}, &decltype(along)::value_type::second));
  EXPECT_EQ(along.back().second, 5);
}

TEST(Cut, AlongTheCurveMakesCubesOfAPowerOfTwo) {
  BlockGrid const grid(test::random_geometry({128, 32, 32}, 1, 1));  // 4 x 4 x 4 blocks
  TileOfBlock const cut = cut_along_curve(block_graph(grid), 8);
  std::map<std::int32_t, std::set<std::array<std::int64_t, 3>>> cubes;
  for (std::size_t b = 0; b < cut.size(); ++b) {
    Int3 const at = grid.blocks()[b].at;
    cubes[cut[b]].insert({at.x / 2, at.y / 2, at.z / 2});
  }
  EXPECT_EQ(cubes.size(), 8U);
  for (auto const& [tile, places] : cubes) EXPECT_EQ(places.size(), 1U) << "tile " << tile;
}

TEST(Cut, QualityIsThatCountedVoxelByVoxel) {
  Geometry const geometry = test::random_geometry({70, 21, 19}, 0.4, 9);
  BlockGrid const grid(geometry);
  BlockGraph const graph = block_graph(grid);
  std::vector<std::int32_t> tile_of_voxel(geometry.pore.size(), -1);
  for (std::int32_t const tiles : {2, 5, 11}) {
    TileOfBlock const cut = cut_with_metis(graph, tiles);
    for (std::int32_t b = 0; b < grid.size(); ++b) {
      Int3 const extent = grid.blocks()[static_cast<std::size_t>(b)].extent;
      test::for_each_voxel(extent, [&](Int3 at) {
        tile_of_voxel[linear_index(geometry.shape, grid.origin(b) + at)] =
            cut[static_cast<std::size_t>(b)];
      });
    }
    std::int64_t cut_links = 0;
    test::for_each_voxel(geometry.shape, [&](Int3 at) {
      if (!geometry.is_pore(at)) return;
      for (int q = 1; q < D3Q19::size; ++q) {
        Int3 const to = *test::follow(geometry, at, {D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)});
        bool const is_cut =
            geometry.is_pore(to) && tile_of_voxel[linear_index(geometry.shape, at)] !=
                                        tile_of_voxel[linear_index(geometry.shape, to)];
        if (is_cut) ++cut_links;
      }
    });
    CutQuality const q = quality(graph, cut);
    std::vector<std::int64_t> const nodes = nodes_of_tiles(graph, cut);
    EXPECT_EQ(q.tiles, static_cast<std::int32_t>(nodes.size()));
    EXPECT_EQ(q.cut_links, cut_links);
    EXPECT_NEAR(q.imbalance,
                static_cast<double>(*std::ranges::max_element(nodes)) * q.tiles /
                        static_cast<double>(geometry.pore_voxels()) -
                    1,
                1e-12);
  }
}

TEST(Cut, PartsHaveTheSharesAskedFor) {
  BlockGraph const graph = block_graph(BlockGrid(rock_to_cut({192, 64, 64})));  // 384 blocks
  std::vector<Part> const parts{{0.6, 8}, {0.3, 4}, {0.1, 3}};
  TwoLevelCut const cut = cut_in_two_levels(graph, parts);
  ASSERT_EQ(cut.part_of_tile.size(), 15U);
  std::vector<double> work(3, 0);
  double total = 0;
  for (std::size_t b = 0; b < cut.tile_of_block.size(); ++b) {
    std::int32_t const tile = cut.tile_of_block[b];
    work[static_cast<std::size_t>(cut.part_of_tile[static_cast<std::size_t>(tile)])] +=
        graph.work[b];
    total += graph.work[b];
  }
  for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(work[p] / total, parts[p].share, 0.015);
}

TEST(Cut, APartWithoutWorkHasNoTileAndKeepsItsNumber) {
  BlockGraph const graph = block_graph(BlockGrid(rock_to_cut({64, 16, 16})));
  TwoLevelCut const cut = cut_in_two_levels(graph, {{0.5, 1}, {1e-9, 4}, {0.5, 1}});
  EXPECT_EQ(cut.part_of_tile, (std::vector<std::int32_t>{0, 2}));
}

TEST(Cut, RanksHaveTheirSharesAndEachCutsItsOwn) {
  BlockGrid const grid(rock_to_cut({160, 96, 96}));
  BlockGraph const graph = block_graph(grid);
  std::vector<float> const shares{0.5F, 0.3F, 0.2F};
  std::vector<std::int32_t> const rank_of_block = cut_for_ranks(graph, shares);
  auto const work = nodes_of_tiles(graph, rank_of_block);
  for (std::size_t r = 0; r < shares.size(); ++r) {
    EXPECT_NEAR(static_cast<double>(work[r]) / static_cast<double>(sum(work)),
                static_cast<double>(shares[r]), 0.02);
    TwoLevelCut const own =
        cut_of_rank(graph, rank_of_block, static_cast<std::int32_t>(r), {{1, 3}, {2, 4}});
    EXPECT_EQ(own.part_of_tile, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, 1}));
    for (std::size_t b = 0; b < rank_of_block.size(); ++b)
      EXPECT_EQ(own.tile_of_block[b] >= 0, rank_of_block[b] == static_cast<std::int32_t>(r));
  }
  BlockGraph const two = block_graph(BlockGrid(test::random_geometry({64, 8, 8}, 0.5, 1)));
  EXPECT_THROW(cut_for_ranks(two, {0.25F, 0.25F, 0.25F, 0.25F}), BadInput);
}

using Handler = void (*)(int);

Handler handler_of(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

// METIS would jump out of whatever thread such a signal reaches.
TEST(Cut, LeavesTheSignalsOfTheProcessAlone) {
  BlockGraph const graph = block_graph(BlockGrid(rock_to_cut({40, 40, 40})));
  Handler const before[] = {handler_of(SIGTERM), handler_of(SIGABRT)};
  std::atomic<int> cutting = 2;
  auto const cut = [&] {
    for (int n = 0; n < 10; ++n) cut_with_metis(graph, 8, {});
    --cutting;
  };
  std::thread first(cut);
  std::thread second(cut);
  bool same = true;
  while (cutting > 0)
    same = same && handler_of(SIGTERM) == before[0] && handler_of(SIGABRT) == before[1];
  first.join();
  second.join();
  EXPECT_TRUE(same);
  EXPECT_EQ(handler_of(SIGTERM), before[0]);
}

TEST(Cut, RefusesWhatMetisRefuses) {
  BlockGraph graph = block_graph(BlockGrid(rock_to_cut({20, 20, 20})));
  EXPECT_THROW(cut_with_metis(graph, 2, {-1.F, 2.F}), EnvironmentError);
  EXPECT_EQ(cut_with_metis(graph, 2, {}).size(), graph.work.size());
}

}  // namespace
}  // namespace tessera

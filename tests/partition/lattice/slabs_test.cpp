// SPDX-License-Identifier: MIT
#include "partition/lattice/slabs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "geometry/generate.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {
namespace {

Geometry rock_of_slabs(Int3 shape, std::array<bool, 3> periodic = {}) {
  Geometry geometry = overlapping_spheres(shape, 5, 0.4, 3).geometry;
  geometry.periodic = periodic;
  return geometry;
}

TileOfBlock one_part(BlockGrid const& grid) {
  TileOfBlock all(static_cast<std::size_t>(grid.size()), 0);
  return all;
}

TEST(Slabs, AreAChainOfEqualTiles) {
  BlockGrid const grid(rock_of_slabs({64, 64, 160}));  // 20 layers along z
  for (std::int32_t const slabs : {1, 2, 7, 13}) {
    TwoLevelCut const cut = cut_into_slabs(grid, one_part(grid), Axis::z, slabs);
    ASSERT_EQ(cut.part_of_tile, std::vector<std::int32_t>(static_cast<std::size_t>(slabs), 0));
    Tiling const tiling = build_tiling(grid, cut, std::vector<Layout>(8, Layout::together));
    for (std::int32_t t = 0; t < slabs; ++t) {
      std::vector<std::int32_t> expected;
      if (t > 0) expected.push_back(t - 1);
      if (t + 1 < slabs) expected.push_back(t + 1);
      Tile const& tile = tiling.tiles[static_cast<std::size_t>(t)];
      EXPECT_EQ(tile.neighbours, expected) << slabs;
      // One block of 2048 voxels too many or too few.
      EXPECT_NEAR(tile.counts.nodes, static_cast<double>(grid.nodes()) / slabs, 2048) << slabs;
    }
  }
}

TEST(Slabs, NoTileIsEmptyHoweverManyAreAskedFor) {
  BlockGrid const grid(rock_of_slabs({64, 16, 24}));
  TwoLevelCut const cut = cut_into_slabs(grid, one_part(grid), Axis::z, 1000);
  EXPECT_EQ(static_cast<std::int32_t>(cut.part_of_tile.size()), grid.size());
  for (std::int32_t t = 0; t < grid.size(); ++t)
    EXPECT_EQ(std::ranges::count(cut.tile_of_block, t), 1) << t;
}

TEST(Slabs, LieAlongTheAxisOfMostLayers) {
  auto const along = [](Int3 shape, std::array<bool, 3> periodic) {
    BlockGrid const grid(rock_of_slabs(shape, periodic));
    return slab_direction(grid, periodic);
  };
  EXPECT_EQ(along({64, 64, 64}, {}).axis, Axis::z);
  EXPECT_EQ(along({64, 96, 64}, {}).axis, Axis::y);
  EXPECT_EQ(along({512, 64, 64}, {}).axis, Axis::x);
  EXPECT_EQ(along({512, 64, 64}, {}).layers, 16);
  EXPECT_FALSE(along({64, 64, 64}, {}).wraps);
  EXPECT_EQ(along({64, 64, 64}, {false, false, true}).axis, Axis::y) << "of equals no ring";
  EXPECT_EQ(along({64, 64, 96}, {false, false, true}).axis, Axis::z);
  EXPECT_EQ(along({64, 64, 96}, {true, true, true}).axis, Axis::z);
  EXPECT_TRUE(along({64, 64, 96}, {true, true, true}).wraps);
}

TEST(Slabs, OfWholeLayersTouchOnlyTheNextLevels) {
  for (bool const wraps : {false, true}) {
    BlockGrid const grid(rock_of_slabs({64, 64, 160}, {wraps, wraps, wraps}));  // 20 layers along z
    SlabDirection const along = slab_direction(grid, {wraps, wraps, wraps});
    ASSERT_EQ(along.axis, Axis::z);
    ASSERT_EQ(along.layers, 20);
    TileOfBlock const three = share_layers(grid, block_graph(grid), along.axis, 3);
    for (TileOfBlock const& parts : {one_part(grid), three}) {
      for (std::int32_t const n : {1, 2, 3, 7, 20, 100}) {
        auto const [cut, levels] = cut_into_layers(grid, parts, along, n);
        std::int32_t const count = std::min(n, 20);
        EXPECT_EQ(levels.count, count);
        EXPECT_EQ(std::ranges::max(levels.of_tile), count - 1);
        EXPECT_EQ(levels.ring, wraps && count > 2);
        Tiling const tiling = build_tiling(grid, cut, std::vector<Layout>(3, Layout::together));
        ASSERT_EQ(tiling.tiles.size(), levels.of_tile.size());
        for (std::size_t t = 0; t < tiling.tiles.size(); ++t) {
          EXPECT_GT(tiling.tiles[t].counts.nodes, 0U);
          for (std::int32_t const neighbour : tiling.tiles[t].neighbours) {
            std::int32_t const apart =
                std::abs(levels.of_tile[t] - levels.of_tile[static_cast<std::size_t>(neighbour)]);
            EXPECT_TRUE(apart <= 1 || (levels.ring && apart == count - 1)) << apart;
          }
        }
      }
    }
  }
}

TEST(Slabs, LayersWithoutFluidAreLeftOut) {
  Geometry gap = rock_of_slabs({32, 32, 96});
  auto const layer = gap.pore.size() / 96;
  std::fill_n(gap.pore.begin() + static_cast<std::ptrdiff_t>(32 * layer), 24 * layer,
              std::uint8_t{0});
  BlockGrid const grid(gap);
  auto const [cut, levels] = cut_into_layers(grid, one_part(grid), {Axis::z, 12, false}, 12);
  EXPECT_EQ(levels.of_tile, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Slabs, OfEachPartAreItsOwn) {
  BlockGrid const grid(rock_of_slabs({64, 64, 128}));
  TileOfBlock parts;  // one above the other
  for (Block const& block : grid.blocks()) parts.push_back(block.at.z < 8 ? 0 : 1);
  TwoLevelCut const cut = cut_into_slabs(grid, parts, Axis::y, 4);
  EXPECT_EQ(cut.part_of_tile, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  for (std::size_t b = 0; b < parts.size(); ++b) {
    EXPECT_EQ(cut.part_of_tile[static_cast<std::size_t>(cut.tile_of_block[b])], parts[b]);
  }
}

TEST(Slabs, OfALayerAreEquallyLarge) {
  // A rock whose pores are not where the voxels are: half of the box has a quarter of them.
  Geometry uneven = overlapping_spheres({64, 192, 128}, 5, 0.4, 3).geometry;
  for (std::int64_t z = 0; z < 128; ++z) {
    for (std::int64_t y = z; y < 96; ++y) {
      for (std::int64_t x = 0; x < 64; x += 2)
        uneven.pore[linear_index(uneven.shape, {x, y, z})] = 0;
    }
  }
  BlockGrid const grid(uneven);
  for (std::int32_t const parts : {1, 2, 4}) {
    TileOfBlock const part = share_layers(grid, block_graph(grid), Axis::z, parts);
    std::vector<std::int64_t> nodes(static_cast<std::size_t>(parts) * 16, 0);
    std::vector<std::int64_t> of_layer(16, 0);
    for (std::size_t b = 0; b < part.size(); ++b) {
      Block const& block = grid.blocks()[b];
      ASSERT_GE(part[b], 0);
      ASSERT_LT(part[b], parts);
      auto const layer = static_cast<std::size_t>(block.at.z);
      nodes[static_cast<std::size_t>(part[b]) * 16 + layer] += block.nodes;
      of_layer[layer] += block.nodes;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      // One block of 2048 voxels too many or too few.
      EXPECT_NEAR(static_cast<double>(nodes[i]), static_cast<double>(of_layer[i % 16]) / parts,
                  2048)
          << parts;
    }
  }
}

TEST(Slabs, PiecesOfALayerLieBesideEachOther) {
  BlockGrid const grid(rock_of_slabs({64, 160, 128}));
  TileOfBlock const part = share_layers(grid, block_graph(grid), Axis::z, 4);
  for (std::size_t b = 0; b < part.size(); ++b) {
    for (std::size_t other = 0; other < part.size(); ++other) {
      Int3 const at = grid.blocks()[b].at;
      Int3 const beside = grid.blocks()[other].at;
      if (at.z == beside.z && at.y < beside.y) {
        EXPECT_LE(part[b], part[other]);
      }
    }
  }
}

}  // namespace
}  // namespace tessera

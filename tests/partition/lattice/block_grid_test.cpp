// SPDX-License-Identifier: MIT
#include "partition/lattice/block_grid.hpp"

#include <gtest/gtest.h>

#include <map>

#include "models/lattice/d3q19.hpp"
#include "tests/partition/lattice/random_geometry.hpp"

namespace tessera {
namespace {

constexpr Int3 odd_shape{70, 21, 19};  // 3 x 3 x 3 blocks, none of the last ones whole

/// Number of the block that holds a voxel.
std::map<std::array<std::int64_t, 3>, std::int32_t> blocks_by_place(BlockGrid const& grid) {
  std::map<std::array<std::int64_t, 3>, std::int32_t> numbers;
  for (std::int32_t b = 0; b < grid.size(); ++b) {
    Int3 const at = grid.blocks()[static_cast<std::size_t>(b)].at;
    numbers[{at.x, at.y, at.z}] = b;
  }
  return numbers;
}
std::array<std::int64_t, 3> place_of(Int3 voxel) {
  return {voxel.x / block_shape.x, voxel.y / block_shape.y, voxel.z / block_shape.z};
}

TEST(BlockGrid, HoldsEveryPoreVoxelOnceAndNothingElse) {
  Geometry const geometry = test::random_geometry(odd_shape, 0.3, 1);
  BlockGrid const grid(geometry);
  EXPECT_EQ(grid.nodes(), geometry.pore_voxels());
  auto const numbers = blocks_by_place(grid);
  std::vector<int> nodes(static_cast<std::size_t>(grid.size()));
  test::for_each_voxel(geometry.shape, [&](Int3 at) {
    auto const b = static_cast<std::size_t>(numbers.at(place_of(at)));
    Int3 const inside = at - grid.origin(static_cast<std::int32_t>(b));
    std::uint32_t const row = grid.blocks()[b].rows[static_cast<std::size_t>(
        row_index(static_cast<int>(inside.y), static_cast<int>(inside.z)))];
    EXPECT_EQ((row >> inside.x & 1U) != 0, geometry.is_pore(at));
    nodes[b] += geometry.is_pore(at) ? 1 : 0;
  });
  for (std::size_t b = 0; b < nodes.size(); ++b) EXPECT_EQ(grid.blocks()[b].nodes, nodes[b]);
}

TEST(BlockGrid, LeavesOutBlocksWithoutANode) {
  Geometry geometry = test::random_geometry({96, 16, 16}, 0, 1);
  geometry.pore[linear_index(geometry.shape, {40, 9, 3})] = 1;
  BlockGrid const grid(geometry);
  ASSERT_EQ(grid.size(), 1);
  EXPECT_EQ(grid.blocks()[0].at, (Int3{1, 1, 0}));
  EXPECT_EQ(grid.origin(0), (Int3{32, 8, 0}));
  EXPECT_EQ(grid.blocks()[0].extent, block_shape);
  EXPECT_EQ(grid.neighbour(0, {1, 0, 0}), -1);
}

TEST(BlockGrid, CutsBlocksAtTheUpperEndsOfTheImage) {
  BlockGrid const grid(test::random_geometry(odd_shape, 1, 1));
  ASSERT_EQ(grid.size(), 27);
  for (Block const& block : grid.blocks()) {
    EXPECT_EQ(block.extent.x, block.at.x < 2 ? 32 : 6);
    EXPECT_EQ(block.extent.y, block.at.y < 2 ? 8 : 5);
    EXPECT_EQ(block.extent.z, block.at.z < 2 ? 8 : 3);
    EXPECT_EQ(block.nodes, volume(block.extent));
  }
}

TEST(BlockGrid, NeighboursWrapWhereTheAxisDoes) {
  for (unsigned which = 0; which < 8; ++which) {
    std::array<bool, 3> const periodic{(which & 1) != 0, (which & 2) != 0, (which & 4) != 0};
    BlockGrid const grid(test::random_geometry(odd_shape, 1, 1, periodic));
    auto const numbers = blocks_by_place(grid);
    for (std::int32_t b = 0; b < grid.size(); ++b) {
      EXPECT_EQ(grid.neighbour(b, {0, 0, 0}), b);
      for (Int3 const d : block_directions()) {
        Int3 at = grid.blocks()[static_cast<std::size_t>(b)].at + d;
        bool outside = false;
        for (Axis a : all_axes) {
          if (at[a] >= 0 && at[a] < 3) continue;
          outside = outside || !periodic[index_of(a)];
          at[a] = (at[a] + 3) % 3;
        }
        std::int32_t const n = grid.neighbour(b, d);
        EXPECT_EQ(n, outside ? -1 : numbers.at({at.x, at.y, at.z}));
        if (n >= 0) {
          EXPECT_EQ(grid.neighbour(n, {-d.x, -d.y, -d.z}), b);
        }
      }
    }
  }
}

TEST(BlockGrid, ABlockAloneOnAPeriodicAxisIsItsOwnNeighbour) {
  BlockGrid const grid(test::random_geometry({32, 8, 8}, 1, 1));
  for (Int3 const d : block_directions()) EXPECT_EQ(grid.neighbour(0, d), 0);
}

TEST(BlockGrid, HasTwentySixDirectionsOfWhichTheCornersHaveNoLinks) {
  EXPECT_EQ(block_directions().size(), 26U);
  for (Int3 const d : block_directions()) {
    int links = 0;
    for (int q = 0; q < D3Q19::size; ++q)
      links += crosses({D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)}, d) ? 1 : 0;
    std::int64_t const length = d.x * d.x + d.y * d.y + d.z * d.z;
    EXPECT_EQ(links, length == 1 ? 5 : length == 2 ? 1 : 0);
  }
}

TEST(BlockGrid, CrossingLinksAreThoseCountedVoxelByVoxel) {
  for (Int3 const shape : {odd_shape, Int3{33, 9, 8}, Int3{64, 16, 9}}) {
    Geometry const geometry = test::random_geometry(shape, 0.4, 3);
    BlockGrid const grid(geometry);
    auto const numbers = blocks_by_place(grid);
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> counted;
    test::for_each_voxel(shape, [&](Int3 at) {
      if (!geometry.is_pore(at)) return;
      for (int q = 1; q < D3Q19::size; ++q) {
        Int3 const to = *test::follow(geometry, at, {D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)});
        if (geometry.is_pore(to)) ++counted[{numbers.at(place_of(at)), numbers.at(place_of(to))}];
      }
    });
    // Small grids meet one another on more than one side: sums over the directions.
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> summed;
    for (std::int32_t b = 0; b < grid.size(); ++b) {
      for (Int3 const d : block_directions()) {
        std::int32_t const n = grid.neighbour(b, d);
        if (n < 0 || n == b) continue;
        Block const& here = grid.blocks()[static_cast<std::size_t>(b)];
        Block const& there = grid.blocks()[static_cast<std::size_t>(n)];
        std::int64_t const links = crossing_links(LatticeKind::d3q19, here, there, d);
        EXPECT_EQ(links, crossing_links(LatticeKind::d3q19, there, here, {-d.x, -d.y, -d.z}));
        if (links > 0) summed[{b, n}] += links;
      }
    }
    std::erase_if(counted,
                  [](auto const& entry) { return entry.first.first == entry.first.second; });
    EXPECT_EQ(summed, counted);
  }
}

TEST(BlockGrid, NumbersBlocksAlongXThenYThenZ) {
  BlockGrid const grid(test::random_geometry({128, 32, 32}, 0.001, 1));
  ASSERT_LT(grid.size(), 64) << "some blocks must be missing";
  std::size_t before = 0;
  for (std::int32_t b = 0; b < grid.size(); ++b) {
    std::size_t const place =
        linear_index({4, 4, 4}, grid.blocks()[static_cast<std::size_t>(b)].at) + 1;
    EXPECT_GT(place, before);
    before = place;
  }
}

}  // namespace
}  // namespace tessera

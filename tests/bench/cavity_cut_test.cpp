// SPDX-License-Identifier: MIT
#include "bench/literature/lattice/cavity_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tessera {
namespace {

/// Fluid nodes of each tile.
std::vector<std::int64_t> nodes_of_tiles(CavityBox const& box, TwoLevelCut const& cut) {
  std::vector<std::int64_t> nodes(cut.part_of_tile.size(), 0);
  for (std::size_t b = 0; b < cut.tile_of_block.size(); ++b)
    nodes[static_cast<std::size_t>(cut.tile_of_block[b])] += box.grid().blocks()[b].nodes;
  return nodes;
}

TEST(CavityCut, TakesTheCentreThatIsNearestToACubeOfWholeBlocks) {
  EXPECT_EQ(centre_extent(132, 8), (Int3{32, 8, 8}));
  EXPECT_EQ(centre_extent(132, 48), (Int3{64, 48, 48}));
  EXPECT_EQ(centre_extent(132, 128), (Int3{128, 128, 128}));
  EXPECT_EQ(centre_extent(132, 200), (Int3{128, 128, 128}));
  EXPECT_EQ(centre_extent(64, 64), (Int3{32, 56, 56}));  // room for other sub-domains on both sides
}

TEST(CavityCut, DoesNotCutAnAxisThatIsTooShort) {
  EXPECT_EQ(centre_extent(33, 8), (Int3{33, 8, 8}));
  EXPECT_EQ(centre_extent(34, 8), (Int3{32, 8, 8}));
  EXPECT_TRUE(CavityBox(8, centre_extent(8, 8)).uncut());
  EXPECT_EQ(CavityBox(16, centre_extent(16, 8)).sub_domains(2, true).part_of_tile.size(), 9U);
}

TEST(CavityCut, HasTheSubDomainsOfTheLiterature) {
  // A box of 132 voxels with a centre of 128: the others are two voxels thick.
  CavityBox const box(132, {128, 128, 128});
  EXPECT_EQ(box.grid().nodes(), 132 * 132 * 132);
  auto nodes = nodes_of_tiles(box, box.sub_domains(3, true));
  ASSERT_EQ(nodes.size(), 27U);
  EXPECT_EQ(nodes.front(), 128 * 128 * 128);
  std::ranges::sort(nodes);
  EXPECT_EQ(nodes[0], 2 * 2 * 2);
  EXPECT_EQ(nodes[7], 2 * 2 * 2);
  EXPECT_EQ(nodes[8], 2 * 2 * 128);
  EXPECT_EQ(nodes[19], 2 * 2 * 128);
  EXPECT_EQ(nodes[20], 2 * 128 * 128);
  EXPECT_EQ(nodes[25], 2 * 128 * 128);
}

TEST(CavityCut, SpreadsTheOthersOverTheCores) {
  CavityBox const box(50, {32, 16, 16});
  TwoLevelCut const cut = box.sub_domains(3, true);
  std::vector<std::int64_t> const nodes = nodes_of_tiles(box, cut);
  std::array<std::int64_t, 4> load{};
  for (std::size_t t = 0; t < nodes.size(); ++t)
    load[static_cast<std::size_t>(cut.part_of_tile[t])] += nodes[t];
  EXPECT_EQ(box.grid().nodes(), 50 * 50 * 50);
  EXPECT_EQ(load[0], 32 * 16 * 16);
  EXPECT_TRUE(std::ranges::is_sorted(cut.part_of_tile));
  double const fair = static_cast<double>(box.grid().nodes() - load[0]) / 3;
  for (std::size_t core = 1; core < load.size(); ++core)
    EXPECT_NEAR(static_cast<double>(load[core]), fair, 0.1 * fair);
  EXPECT_EQ(box.sub_domains(40, false).part_of_tile.size(), 27U);  // more cores than sub-domains
}

}  // namespace
}  // namespace tessera

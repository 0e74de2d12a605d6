// SPDX-License-Identifier: MIT
#include "run/plan/tile_count.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tessera {
namespace {

constexpr std::int32_t many_blocks = 1'000'000;

/// Number of tiles of each GPU's part, in single precision.
std::int32_t tiles_of_a_gpu(std::int64_t nodes, Workers const& workers) {
  TilesAsked asked;
  asked.precision = Precision::single_precision;
  std::vector<Part> const parts =
      parts_for(planned_shares(workers), workers, many_blocks, nodes, asked);
  EXPECT_EQ(parts.size(), workers.gpus);
  return parts.front().tiles;
}

constexpr std::size_t h200_bytes = 130'000'000'000;

TEST(TileCount, ASingleGpuHasTilesOf300Megabytes) {
  Workers const one{.cores = 1, .gpus = 1, .gpu_bytes = h200_bytes};
  EXPECT_EQ(tiles_of_a_gpu(1'000'000, one), 1);
  EXPECT_EQ(tiles_of_a_gpu(4'000'000, one), 1);
  EXPECT_EQ(tiles_of_a_gpu(8'000'000, one), 4);
  EXPECT_EQ(tiles_of_a_gpu(14'000'000, one), 6);  // two more lattices of tiles, not two thirds
  EXPECT_EQ(tiles_of_a_gpu(27'000'000, one), 6);
  EXPECT_EQ(tiles_of_a_gpu(40'000'000, one), 10);
  EXPECT_EQ(tiles_of_a_gpu(300'000'000, one), 32);
}

TEST(TileCount, EachOfSeveralGpusHasTwoInnerTilesToHideWhatTravels) {
  Workers const four{.cores = 1, .gpus = 4, .gpu_bytes = h200_bytes};
  EXPECT_EQ(tiles_of_a_gpu(400'000, four), 1);
  EXPECT_EQ(tiles_of_a_gpu(19'000'000, four), 4);
  EXPECT_EQ(tiles_of_a_gpu(80'000'000, four), 5);
  EXPECT_EQ(tiles_of_a_gpu(300'000'000, four), 8);
  EXPECT_EQ(tiles_of_a_gpu(80'000'000, {.cores = 1, .gpus = 4}), 5);  // memory enough
}

TEST(TileCount, SeveralGpusHaveMoreTilesWhereSecondLatticesFindNoRoom) {
  Workers two{.cores = 1, .gpus = 2, .gpu_bytes = h200_bytes};
  EXPECT_EQ(tiles_of_a_gpu(1'000'000'000, two), 8);   // 38 GB each, and 24 GB in work
  EXPECT_EQ(tiles_of_a_gpu(2'500'000'000, two), 22);  // 95 GB each
  two.gpu_bytes = 100'000'000'000;
  EXPECT_EQ(tiles_of_a_gpu(2'500'000'000, two), 32);
}

TEST(TileCount, TilesInWorkFindRoomWhateverTheMemory) {
  std::int64_t const nodes = 5'000'000;  // 380 MB
  auto const tiles = [&](std::size_t gpu_bytes) {
    return tiles_of_a_gpu(nodes, {.cores = 1, .gpus = 1, .gpu_bytes = gpu_bytes});
  };
  EXPECT_EQ(tiles(3'000'000'000), 1);
  EXPECT_EQ(tiles(1'000'000'000), 4);  // 380 MB, and 475 MB in work
  EXPECT_EQ(tiles(500'000'000), 28);
  EXPECT_EQ(tiles(400'000'000), 32);
  // Slabs have found no room either; five tiles with both lattices have.
  EXPECT_EQ(tiles(100'000'000), 43);
}

TEST(TileCount, AGpuBesideOtherProcessesHasInnerTilesToHideMessages) {
  Workers alone{.cores = 1, .gpus = 1, .gpu_bytes = h200_bytes};
  EXPECT_EQ(tiles_of_a_gpu(5'000'000, alone), 1);
  EXPECT_EQ(tiles_of_a_gpu(100'000'000, alone), 25);
  Workers beside = alone;
  beside.beside_others = true;
  EXPECT_EQ(tiles_of_a_gpu(5'000'000, beside), 4);
  EXPECT_EQ(tiles_of_a_gpu(100'000'000, beside), 8);
  EXPECT_EQ(tiles_of_a_gpu(600'000'000, beside), 8);     // 46 GB, and 29 GB in work
  EXPECT_EQ(tiles_of_a_gpu(1'250'000'000, beside), 22);  // 95 GB
}

}  // namespace
}  // namespace tessera

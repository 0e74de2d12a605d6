// SPDX-License-Identifier: MIT
// Balancing as arithmetic: which tiles move for which speeds.
#include "graph/balance/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera {
namespace {

/// A chain of equal tiles, dealt out to domains in runs of the given lengths.
std::vector<TileLoad> chain(std::vector<int> const& runs, double work = 1e6) {
  std::vector<TileLoad> tiles;
  for (std::size_t d = 0; d < runs.size(); ++d) {
    for (int i = 0; i < runs[d]; ++i)
      tiles.push_back(
          {work, static_cast<std::size_t>(76 * work), static_cast<std::int32_t>(d), {}});
  }
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    if (t > 0) tiles[t].neighbours.push_back(static_cast<std::int32_t>(t - 1));
    if (t + 1 < tiles.size()) tiles[t].neighbours.push_back(static_cast<std::int32_t>(t + 1));
  }
  return tiles;
}

std::vector<TileLoad> after(std::vector<TileLoad> tiles, std::vector<Move> const& moves) {
  for (Move const& move : moves) tiles[static_cast<std::size_t>(move.tile)].domain = move.to;
  return tiles;
}

TEST(Balance, LeavesABalancedFlowAlone) {
  std::vector<DomainSpeed> const speeds{{20e9, 1}, {20e9, 1}};
  EXPECT_TRUE(balancing_moves(chain({16, 16}), speeds).empty());
  EXPECT_NEAR(imbalance(chain({16, 16}), speeds), 0, 1e-12);
}

TEST(Balance, TakesFromADomainThatHasBecomeSlow) {
  std::vector<DomainSpeed> const speeds{{20e9, 1}, {10e9, 1}};
  std::vector<TileLoad> const tiles = chain({16, 16});
  EXPECT_NEAR(imbalance(tiles, speeds), 1.6e-3 / 1.2e-3 - 1, 1e-9);
  std::vector<TileLoad> const balanced = after(tiles, balancing_moves(tiles, speeds));
  EXPECT_LE(step_seconds(balanced, speeds), 1.05 * 32e6 / 30e9);
  EXPECT_LE(imbalance(balanced, speeds), 0.05);
}

TEST(Balance, MovesTilesAtTheBorderFirst) {
  std::vector<DomainSpeed> const speeds{{20e9, 1}, {15e9, 1}};
  std::vector<Move> const moves = balancing_moves(chain({16, 16}), speeds);
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moves.front().tile, 16);
  EXPECT_EQ(moves.front().to, 0);
}

TEST(Balance, GivesNoLargeTileToACore) {
  // Twelve cores of 50 MFLUPS would have time for one tile of 5 million nodes, but a tile is one
  // core's: it would take 100 ms of a step of 20.
  std::vector<TileLoad> const tiles = chain({80, 0}, 5e6);
  EXPECT_TRUE(balancing_moves(tiles, {{20e9, 1}, {0.6e9, 12}}).empty());
}

TEST(Balance, TakesBackWhatSlowsEverybodyDown) {
  std::vector<DomainSpeed> const speeds{{20e9, 1}, {0.6e9, 12}};
  std::vector<TileLoad> const tiles = chain({79, 1}, 5e6);
  std::vector<TileLoad> const balanced = after(tiles, balancing_moves(tiles, speeds));
  EXPECT_EQ(balanced.back().domain, 0);
}

TEST(Balance, MovesNothingThatDoesNotPay) {
  std::vector<DomainSpeed> const speeds{{20e9, 1}, {10e9, 1}};
  std::vector<TileLoad> const tiles = chain({16, 16});
  // 76 MB at 20 GB/s: 4 ms, to be gained back in 5 steps of 0.1 ms each.
  EXPECT_TRUE(balancing_moves(tiles, speeds, {.horizon = 5}).empty());
}

TEST(Balance, GivesManySmallTilesBackToCores) {
  // 40 tiles of 50 000 nodes are 0.1 ms of a GPU's work, but they cost it 2 ms of a step of 6.
  std::vector<TileLoad> tiles = chain({24, 0}, 4e6);
  for (int i = 0; i < 40; ++i) tiles.push_back({5e4, 3'800'000, 0, {}});
  std::vector<DomainSpeed> const speeds{{22e9, 1, 50e-6}, {0.7e9, 12}};
  std::vector<TileLoad> const balanced = after(tiles, balancing_moves(tiles, speeds));
  EXPECT_GE(std::ranges::count(balanced, 1, &TileLoad::domain), 36);
  EXPECT_LE(step_seconds(balanced, speeds), 1.03 * 96e6 / 22e9);
}

TEST(Balance, CountsWhatAllMovesGainTogether) {
  // Each of 40 small tiles is worth 0.25 % of a step.
  std::vector<TileLoad> tiles = chain({1, 40}, 1e4);
  tiles.front().work = 4e6;
  std::vector<DomainSpeed> const speeds{{20e9, 1}, {1e9, 8}};
  EXPECT_LE(step_seconds(after(tiles, balancing_moves(tiles, speeds)), speeds),
            1.01 * 4.4e6 / 21e9);
}

TEST(Balance, KnowsNothingOfADomainThatHasNotBeenMeasured) {
  EXPECT_TRUE(balancing_moves(chain({16, 16}), {{20e9, 1}, {0, 4}}).empty());
}

}  // namespace
}  // namespace tessera

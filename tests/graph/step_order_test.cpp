// SPDX-License-Identifier: MIT
// Sweeps keep the order that steps depend on, and transfers few.
#include "graph/step_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <list>
#include <string>
#include <utility>

#include "io/generate.hpp"
#include "tests/graph/fields.hpp"

namespace tessera {
namespace {

/// Tiles with nothing but neighbours.
Tiling tiling_of(std::int32_t tiles,
                 std::vector<std::pair<std::int32_t, std::int32_t>> const& links) {
  Tiling tiling;
  tiling.tiles.resize(static_cast<std::size_t>(tiles));
  for (auto const& [a, b] : links) {
    tiling.tiles[static_cast<std::size_t>(a)].neighbours.push_back(b);
    tiling.tiles[static_cast<std::size_t>(b)].neighbours.push_back(a);
  }
  return tiling;
}

Tiling chain(std::int32_t tiles) {
  std::vector<std::pair<std::int32_t, std::int32_t>> links;
  for (std::int32_t t = 1; t < tiles; ++t) links.emplace_back(t - 1, t);
  return tiling_of(tiles, links);
}

Tiling ring(std::int32_t tiles) {
  Tiling tiling = chain(tiles);
  tiling.tiles.front().neighbours.push_back(tiles - 1);
  tiling.tiles.back().neighbours.push_back(0);
  return tiling;
}

/// Runs sweeps on a model of the tiles: how many steps each has taken, and the step that is in each
/// of its two outboxes.
class Model {
 public:
  explicit Model(Tiling const& tiling)
      : tiling_(tiling), steps_(tiling.tiles.size(), 0), outbox_(tiling.tiles.size(), {0, -1}) {}

  void run(std::vector<std::vector<TileStep>> const& sweep) {
    auto const before = steps_;
    for (auto const& wave : sweep) {
      for (TileStep const& ts : wave) {
        auto const tile = static_cast<std::size_t>(ts.tile);
        ASSERT_EQ(steps_[tile], before[tile] + ts.step) << "in turn, tile " << tile;
        for (std::int32_t const neighbour : tiling_.tiles[tile].neighbours) {
          auto const n = static_cast<std::size_t>(neighbour);
          ASSERT_EQ(outbox_[n][parity(steps_[tile])], steps_[tile])
              << "tile " << tile << " reads of " << n;
        }
        ++steps_[tile];
        outbox_[tile][parity(steps_[tile])] = steps_[tile];
      }
    }
  }
  bool all_at(std::int32_t step) const {
    return std::ranges::all_of(steps_, [&](std::int32_t s) { return s == step; });
  }

 private:
  static std::size_t parity(std::int32_t n) { return static_cast<std::size_t>(n % 2); }

  Tiling const& tiling_;
  std::vector<std::int32_t> steps_;
  std::vector<std::array<std::int32_t, 2>> outbox_;
};

void expect_sound(Tiling const& tiling, StepOrder const& order, std::string const& what) {
  Model model(tiling);
  std::int32_t steps = 0;
  bool backwards = false;
  for (std::int32_t const k : {1, 2, 3, 8, 1, 1, 5, 13}) {
    SCOPED_TRACE(what + ", " + std::to_string(k) + " steps after " + std::to_string(steps));
    model.run(order.sweep(k, backwards));
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    steps += k;
    EXPECT_TRUE(model.all_at(steps));
    backwards = !backwards;
  }
}

TEST(StepOrder, EachTileTakesEachStepOnceWhenItsNeighboursAreReady) {
  Tiling const pieces = tiling_of(7, {{0, 4}, {4, 2}, {1, 3}, {3, 5}});
  Geometry const rock = overlapping_spheres({96, 64, 56}, 6, 0.4, 3).geometry;
  Geometry wrapping = rock;
  wrapping.periodic = {true, true, true};
  std::vector<std::pair<std::string, Tiling>> tilings;
  tilings.emplace_back("one tile", chain(1));
  tilings.emplace_back("chain", chain(23));
  tilings.emplace_back("ring", ring(12));
  tilings.emplace_back("odd ring", ring(13));
  tilings.emplace_back("pieces", pieces);
  tilings.emplace_back("rock", test::metis_tiling(rock, 40));
  tilings.emplace_back("wrapping rock", test::metis_tiling(wrapping, 40));
  for (auto const& [what, tiling] : tilings) {
    expect_sound(tiling, StepOrder::by_levels(tiling), what);
    expect_sound(tiling, StepOrder::plain(tiling), what + ", plain");
  }
}

TEST(StepOrder, LevelsBeginAtTheRim) {
  Tiling const line = tiling_of(5, {{3, 1}, {1, 0}, {0, 2}, {2, 4}});  // from 3 to 4
  EXPECT_EQ(StepOrder::by_levels(line).levels().size(), 5U);
  EXPECT_EQ(StepOrder::by_levels(ring(12)).levels().size(), 7U);
}

TEST(StepOrder, OneStepOfThePlainOrderIsOneWaveOfAllTiles) {
  auto const waves = StepOrder::plain(ring(5)).sweep(1, true);
  ASSERT_EQ(waves.size(), 1U);
  ASSERT_EQ(waves[0].size(), 5U);
  for (std::int32_t t = 0; t < 5; ++t) EXPECT_EQ(waves[0][static_cast<std::size_t>(t)].tile, t);
}

/// Counts how often a memory that keeps the tiles last used has to fetch one.
class Memory {
 public:
  explicit Memory(std::size_t room) : room_(room) {}

  void run(std::vector<std::vector<TileStep>> const& sweep) {
    for (auto const& wave : sweep) {
      for (TileStep const& ts : wave) use(ts.tile);
    }
  }
  int fetched() const { return fetched_; }

 private:
  void use(std::int32_t tile) {
    auto const at = std::ranges::find(tiles_, tile);
    if (at != tiles_.end()) {
      tiles_.erase(at);
    } else {
      ++fetched_;
      if (tiles_.size() == room_) tiles_.pop_front();
    }
    tiles_.push_back(tile);
  }

  std::size_t room_;
  std::list<std::int32_t> tiles_;  ///< the one last used at the end
  int fetched_ = 0;
};

int fetched(StepOrder const& order, std::int32_t steps, std::int32_t sweeps, std::size_t room) {
  Memory memory(room);
  for (std::int32_t i = 0; i < sweeps; ++i) memory.run(order.sweep(steps, i % 2 == 1));
  return memory.fetched();
}

TEST(StepOrder, ATileIsFetchedOnceInASweep) {
  constexpr std::int32_t tiles = 60, sweeps = 10;
  Tiling const tiling = chain(tiles);
  for (std::int32_t const k : {2, 4, 8, 16}) {
    std::size_t const room = 2 * static_cast<std::size_t>(k) + 2;
    int const swept = fetched(StepOrder::by_levels(tiling), k, sweeps, room);
    int const plain = fetched(StepOrder::plain(tiling), k, sweeps, room);
    RecordProperty("swept_" + std::to_string(k), swept);
    EXPECT_EQ(plain, tiles * k * sweeps) << k;
    EXPECT_LE(swept, tiles * sweeps) << k;
    // What one sweep leaves in memory, the next need not fetch.
    EXPECT_EQ(swept, tiles + (tiles - static_cast<int>(room)) * (sweeps - 1)) << k;
  }
}

TEST(StepOrder, ARingTakesTwiceTheRoom) {
  constexpr std::int32_t tiles = 80, sweeps = 10, k = 8;
  EXPECT_LE(fetched(StepOrder::by_levels(ring(tiles)), k, sweeps, 4 * k + 4), tiles * sweeps);
}

}  // namespace
}  // namespace tessera

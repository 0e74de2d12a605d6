// SPDX-License-Identifier: MIT
// Sweeps keep the order that steps depend on, and need few transfers.
#include "graph/step_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <list>
#include <stdexcept>
#include <string>
#include <utility>

#include "geometry/generate.hpp"
#include "partition/cut.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {
namespace {

/// Neighbours of tiles that are connected by links.
Neighbours linked(std::int32_t tiles,
                  std::vector<std::pair<std::int32_t, std::int32_t>> const& links) {
  Neighbours neighbours(static_cast<std::size_t>(tiles));
  for (auto const& [a, b] : links) {
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  return neighbours;
}

Neighbours chain(std::int32_t tiles) {
  std::vector<std::pair<std::int32_t, std::int32_t>> links;
  for (std::int32_t t = 1; t < tiles; ++t) links.emplace_back(t - 1, t);
  return linked(tiles, links);
}

Neighbours ring(std::int32_t tiles) {
  Neighbours neighbours = chain(tiles);
  neighbours.front().push_back(tiles - 1);
  neighbours.back().push_back(0);
  return neighbours;
}

/// Runs sweeps on a model of the tiles: how many steps each has taken, and the step that is in each
/// of its two outboxes.
class Model {
 public:
  explicit Model(Neighbours const& neighbours)
      : neighbours_(neighbours),
        steps_(neighbours.size(), 0),
        outbox_(neighbours.size(), {0, -1}) {}

  void run(Sweep const& sweep) {
    auto const before = steps_;
    for (auto const& wave : sweep.waves) {
      for (TileStep const& ts : wave) {
        auto const tile = static_cast<std::size_t>(ts.tile);
        ASSERT_EQ(steps_[tile], before[tile] + ts.step) << "in turn, tile " << tile;
        for (std::int32_t const neighbour : neighbours_[tile]) {
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

  Neighbours const& neighbours_;
  std::vector<std::int32_t> steps_;
  std::vector<std::array<std::int32_t, 2>> outbox_;
};

/// Neighbours of the tiles of a rock that METIS cuts.
Neighbours of_rock(Geometry const& rock) {
  BlockGrid const grid(rock);
  Neighbours neighbours;
  for (Tile& tile : build_tiling(grid, cut_with_metis(block_graph(grid), 40)).tiles)
    neighbours.push_back(std::move(tile.neighbours));
  return neighbours;
}

void expect_sound(Neighbours const& neighbours, StepOrder order, std::string const& what) {
  Model model(neighbours);
  std::int32_t steps = 0;
  for (std::int32_t const k : {1, 2, 3, 8, 1, 1, 5, 11}) {
    SCOPED_TRACE(what + ", " + std::to_string(k) + " steps after " + std::to_string(steps));
    model.run(order.next_sweep(k));
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    steps += k;
    EXPECT_TRUE(model.all_at(steps));
  }
}

TEST(StepOrder, EachTileTakesEachStepOnceWhenItsNeighboursAreReady) {
  Neighbours const pieces = linked(7, {{0, 4}, {4, 2}, {1, 3}, {3, 5}});
  Geometry const rock = overlapping_spheres({96, 64, 56}, 6, 0.4, 3).geometry;
  Geometry wrapping = rock;
  wrapping.periodic = {true, true, true};
  std::vector<std::pair<std::string, Neighbours>> graphs;
  graphs.emplace_back("one tile", chain(1));
  graphs.emplace_back("chain", chain(23));
  graphs.emplace_back("ring", ring(12));
  graphs.emplace_back("odd ring", ring(13));
  graphs.emplace_back("pieces", pieces);
  graphs.emplace_back("rock", of_rock(rock));
  graphs.emplace_back("wrapping rock", of_rock(wrapping));
  for (auto const& [what, neighbours] : graphs) {
    expect_sound(neighbours, StepOrder::by_levels(neighbours), what);
    expect_sound(neighbours, StepOrder::plain(neighbours.size()), what + ", plain");
  }
}

TileLevels levels_of(std::int32_t tiles, bool ring) {
  TileLevels levels{.count = tiles, .of_tile = {}, .ring = ring};
  for (std::int32_t t = 0; t < tiles; ++t) levels.of_tile.push_back(t);
  return levels;
}

TEST(StepOrder, GivenLevelsMayGoAroundARing) {
  expect_sound(chain(14), StepOrder::in_levels(levels_of(14, false)), "chain");
  for (std::int32_t const tiles : {12, 13, 40})
    expect_sound(ring(tiles), StepOrder::in_levels(levels_of(tiles, true)), "ring");
  // Two tiles a level, each a neighbour of those of the levels beside its own.
  std::vector<std::pair<std::int32_t, std::int32_t>> links;
  TileLevels twin{.count = 15, .of_tile = {}, .ring = true};
  for (std::int32_t t = 0; t < 30; ++t) {
    twin.of_tile.push_back(t / 2);
    if (t % 2 == 0) links.emplace_back(t, t + 1);
    for (std::int32_t const other : {t / 2 * 2 + 2, t / 2 * 2 + 3})
      links.emplace_back(t, other % 30);
  }
  expect_sound(linked(30, links), StepOrder::in_levels(twin), "twin ring");
}

TEST(StepOrder, ARingTakesFewerStepsThanLevels) {
  StepOrder order = StepOrder::in_levels(levels_of(5, true));
  EXPECT_NO_THROW(order.next_sweep(4));
  EXPECT_THROW(order.next_sweep(5), std::invalid_argument);
}

TEST(StepOrder, VisitsTellTheWavesOfASweep) {
  for (bool const ring : {false, true}) {
    StepOrder order = StepOrder::in_levels(levels_of(20, ring));
    for (std::int32_t const k : {1, 4, 7}) {
      Sweep const sweep = order.next_sweep(k);
      EXPECT_EQ(sweep.visits.size(), ring ? 20U + static_cast<std::size_t>(k) - 1 : 20U);
      std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> told(sweep.waves.size());
      std::int32_t wave = 0, last_wave = 0;
      for (Visit const& visit : sweep.visits) {
        EXPECT_GE(visit.wave, wave);
        EXPECT_GE(visit.last_wave(), last_wave);
        wave = visit.wave;
        last_wave = visit.last_wave();
        auto at = static_cast<std::size_t>(visit.wave);
        for (std::int32_t s = visit.first; s <= visit.last; ++s, ++at)
          told[at].emplace_back(visit.tile, s);
      }
      for (std::size_t w = 0; w < told.size(); ++w) {
        std::vector<std::pair<std::int32_t, std::int32_t>> taken;
        for (TileStep const& step : sweep.waves[w]) taken.emplace_back(step.tile, step.step);
        std::ranges::sort(taken);
        std::ranges::sort(told[w]);
        EXPECT_EQ(taken, told[w]) << "wave " << w;
      }
    }
  }
}

TEST(StepOrder, LevelsBeginAtTheRim) {
  Neighbours const line = linked(5, {{3, 1}, {1, 0}, {0, 2}, {2, 4}});  // from 3 to 4
  EXPECT_EQ(StepOrder::by_levels(line).levels().size(), 5U);
  EXPECT_EQ(StepOrder::by_levels(ring(12)).levels().size(), 7U);
}

TEST(StepOrder, OneStepOfThePlainOrderIsOneWaveOfAllTiles) {
  auto const waves = StepOrder::plain(5).next_sweep(1).waves;
  ASSERT_EQ(waves.size(), 1U);
  ASSERT_EQ(waves[0].size(), 5U);
  for (std::int32_t t = 0; t < 5; ++t) EXPECT_EQ(waves[0][static_cast<std::size_t>(t)].tile, t);
}

/// Counts how often a memory that keeps the tiles last used has to fetch one.
class Memory {
 public:
  explicit Memory(std::size_t room) : room_(room) {}

  void run(Sweep const& sweep) {
    for (auto const& wave : sweep.waves) {
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

int fetched(StepOrder order, std::int32_t steps, std::int32_t sweeps, std::size_t room) {
  Memory memory(room);
  for (std::int32_t i = 0; i < sweeps; ++i) memory.run(order.next_sweep(steps));
  return memory.fetched();
}

TEST(StepOrder, ATileIsFetchedOnceInASweep) {
  constexpr std::int32_t tiles = 60, sweeps = 10;
  Neighbours const line = chain(tiles);
  for (std::int32_t const k : {2, 4, 8, 16}) {
    std::size_t const room = static_cast<std::size_t>(k) + 2;
    int const swept = fetched(StepOrder::by_levels(line), k, sweeps, room);
    int const plain = fetched(StepOrder::plain(line.size()), k, sweeps, room);
    RecordProperty("swept_" + std::to_string(k), swept);
    EXPECT_EQ(plain, tiles * k * sweeps) << k;
    EXPECT_LE(swept, tiles * sweeps) << k;
    // What one sweep leaves in memory, the next need not fetch.
    EXPECT_EQ(swept, tiles + (tiles - static_cast<int>(room)) * (sweeps - 1)) << k;
  }
}

TEST(StepOrder, ARingOfLevelsIsFetchedOnceASweepAndSomeOfItTwice) {
  constexpr std::int32_t tiles = 80, sweeps = 10, k = 8;
  EXPECT_LE(fetched(StepOrder::by_levels(ring(tiles)), k, sweeps, 2 * k + 4), tiles * sweeps)
      << "two fronts need twice the room";
  EXPECT_LE(fetched(StepOrder::in_levels(levels_of(tiles, true)), k, sweeps, k + 2),
            (tiles + k - 1) * sweeps);
}

}  // namespace
}  // namespace tessera

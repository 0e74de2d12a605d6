// SPDX-License-Identifier: MIT
// Lattices larger than the memory of the GPUs of several processes, on cores that stand in for
// them.
#include "run/plan/sweeps.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "run/plan/flow_tiles.hpp"
#include "tests/run/recut/rock.hpp"

namespace tessera {
namespace {

constexpr int sweep_steps = 25;

/// Periodic along y, and along the axis of the slabs where they are to form a ring.
Geometry long_rock(bool ring) {
  Geometry rock = overlapping_spheres({32, 90, 230}, 5, 0.35, 7).geometry;
  rock.periodic = {false, true, ring};
  return rock;
}

/// All ranks: GPUs that hold a part of the lattice together, two on every second rank.
FlowTiles part_of_it(Geometry const& rock, TilesAsked const& asked) {
  BlockGrid const grid(rock);
  unsigned const here = 1 + static_cast<unsigned>(Ranks::rank()) % 2;
  std::int64_t const all = Ranks::count() + Ranks::count() / 2;
  auto const there =
      static_cast<std::size_t>(bytes_on_gpus(grid.nodes() / all, asked.precision) * 4 / 5);
  // The one with least memory decides.
  Workers const workers{
      .gpus = here, .gpu_bytes = there << (Ranks::is_root() ? 0 : 4), .beside_others = true};
  return plan_tiles(grid, rock.periodic, workers, asked);
}

void measure(FlowGraph& graph, int count) {
  graph.submit_steps(3);
  graph.measure_at(9);
  graph.submit_steps(count - 3);
  EXPECT_EQ(graph.take_measurement(9).step, 9);
}

/// All ranks: one process whose memory holds the lattice, against all with a part of it.
void expect_same_bits(bool ring, Precision precision, int window) {
  Geometry const rock = long_rock(ring);
  FlowOptions options = test::skew_flow(precision, EquilibriumForm::second_order);
  test::Fields const expected = test::by_the_first([&] {
    Runtime const runtime("", 1);
    return test::fields_after(sweep_steps, test::metis_tiling(rock, 3), options);
  });
  Runtime const runtime("", 1);
  FlowTiles const tiles = part_of_it(rock, {.precision = precision, .tiles = 1000});
  ASSERT_TRUE(tiles.levels);
  EXPECT_EQ(tiles.levels->ring, ring);
  EXPECT_GE(tiles.steps_per_sweep, 3);
  EXPECT_LT(tiles.rooms, tiles.levels->count);
  options.levels = tiles.levels;
  options.rooms = tiles.rooms;
  options.steps_per_sweep = tiles.steps_per_sweep;
  options.window = window;
  test::expect_same(test::fields_after(sweep_steps, tiles.tiling, options, measure), expected,
                    ring ? "ring" : "chain");
}

TEST(SweepsOverRanks, ChangeNotABitAlongAChain) {
  expect_same_bits(false, Precision::half_storage, 4);
}

// With the smallest window: the first tiles of one rank wait for the last of the others.
TEST(SweepsOverRanks, ChangeNotABitAroundARing) {
  expect_same_bits(true, Precision::double_precision, 1);
}

TEST(SweepsOverRanks, NeedSlabs) {
  Geometry const rock = long_rock(false);
  BlockGrid const grid(rock);
  EXPECT_THROW(plan_tiles(grid, rock.periodic, {.gpus = 1}, {.steps_per_sweep = 3}), BadInput);
}

TEST(SweepsOverRanks, EachRankCountsWhatOthersSend) {
  TilesAsked const asked{.tiles = 1000};
  FlowTiles const tiles = part_of_it(long_rock(true), asked);
  SlabBytes const bytes = bytes_of_slabs(tiles.tiling, asked.precision);
  Tiling without = tiles.tiling;
  for (Tile& tile : without.tiles) tile.foreign.clear();
  EXPECT_GT(bytes.always, bytes_of_slabs(without, asked.precision).always);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// The global invariant: every field and every sum is the same, bit for bit, however the blocks are
// dealt out to tiles, whoever schedules the tasks, on however many workers, however far ahead.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "graph/runtime/runtime.hpp"
#include "partition/lattice/block_graph.hpp"
#include "tests/methods/lattice/fields.hpp"

namespace tessera {
namespace {

using test::Fields;

constexpr int invariant_steps = 25;

/// Rock-like, and no side a multiple of a block's.
using test::small_rock;

struct How {
  std::string scheduler = "eager";
  int workers = 2;
  std::int32_t tiles = 7;
  int window = 4;
  int steps_per_sweep = 1;
};

/// Cut once for all who take it.
Tiling const& tiling_of_rock(std::int32_t tiles) {
  static std::map<std::int32_t, Tiling> kept;
  auto found = kept.find(tiles);
  if (found == kept.end())
    found = kept.emplace(tiles, test::metis_tiling(small_rock(), tiles)).first;
  return found->second;
}

Fields run(How const& how, FlowOptions options) {
  Runtime const runtime(how.scheduler, how.workers);
  options.window = how.window;
  options.steps_per_sweep = how.steps_per_sweep;
  return test::fields_after(invariant_steps, tiling_of_rock(how.tiles), options);
}

std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::half_storage:
      return "Half";
    case Precision::single_precision:
      return "Single";
    case Precision::double_precision:
      break;
  }
  return "Double";
}

void expect_same(Fields const& a, Fields const& b, std::string const& what) {
  EXPECT_EQ(test::differing_voxels(a, b), 0) << what;
  EXPECT_TRUE(test::same_bits(a.last_but_one, b.last_but_one)) << what;
  EXPECT_TRUE(test::same_bits(a.last, b.last)) << what;
}

class Invariance : public testing::TestWithParam<std::tuple<Precision, EquilibriumForm>> {
 protected:
  static FlowOptions options() {
    return test::skew_flow(std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
  static Fields one_tile() {
    return run({.scheduler = "eager", .workers = 1, .tiles = 1}, options());
  }
};

TEST_P(Invariance, AFlowIsThere) {
  Fields const fields = one_tile();
  EXPECT_EQ(fields.last.step, invariant_steps);
  EXPECT_EQ(fields.last.total.nodes, static_cast<double>(small_rock().pore_voxels()));
  EXPECT_GT(fields.last.total.momentum[0], 0);
  EXPECT_LT(fields.last.total.momentum[1], 0);
  EXPECT_GT(fields.last.total.momentum[2], 0);
  EXPECT_GT(test::differing_voxels(
                fields, Fields{std::vector<NodeState>(small_rock().pore.size()), {}, {}}),
            small_rock().pore_voxels() * 9 / 10);
}

TEST_P(Invariance, FieldsDoNotDependOnTheNumberOfTiles) {
  Fields const expected = one_tile();
  for (std::int32_t const tiles : {2, 7, 30}) {
    expect_same(run({.tiles = tiles}, options()), expected, std::to_string(tiles) + " tiles");
  }
}

TEST_P(Invariance, FieldsDoNotDependOnTheShapeOfTiles) {
  // Blocks dealt out like cards: no tile is connected, all are neighbours of all.
  Fields const expected = one_tile();
  BlockGrid const grid(small_rock());
  TileOfBlock cut(static_cast<std::size_t>(grid.size()));
  for (std::size_t b = 0; b < cut.size(); ++b) cut[b] = static_cast<std::int32_t>(b * 7 % 5);
  Runtime const runtime("eager", 2);
  expect_same(test::fields_after(invariant_steps, build_tiling(grid, cut), options()), expected,
              "cards");
}

TEST_P(Invariance, FieldsDoNotDependOnSchedulerWorkersAndWindow) {
  Fields const expected = one_tile();
  for (std::string const scheduler : {"eager", "lws", "dmdar", "dmdas", "random"}) {
    for (int const workers : {1, 2}) {
      for (int const window : {1, 6}) {
        expect_same(run({scheduler, workers, 7, window}, options()), expected,
                    scheduler + ", workers " + std::to_string(workers) + ", window " +
                        std::to_string(window));
      }
    }
  }
}

TEST_P(Invariance, FieldsDoNotDependOnWhoDecidesWhereATileIs) {
  Fields const expected = one_tile();
  for (std::string const scheduler : {"lws", "dmda"}) {
    for (Balance const balance : {Balance::fixed, Balance::dynamic, Balance::free}) {
      FlowOptions how = options();
      how.balance = balance;
      expect_same(run({.scheduler = scheduler}, how), expected, "balance, " + scheduler);
    }
  }
}

TEST_P(Invariance, FieldsDoNotDependOnWhoFillsTheHalo) {
  FlowOptions how = options();
  how.halo = HaloExchange::task;
  for (int const window : {1, 6})
    expect_same(run({.scheduler = "lws", .tiles = 7, .window = window}, how), one_tile(), "halo");
}

TEST_P(Invariance, FieldsDoNotDependOnDomains) {
  Fields const expected = one_tile();
  BlockGrid const grid(small_rock());
  Tiling const tiling =
      build_tiling(grid, cut_in_two_levels(block_graph(grid), {Part{1, 6}, Part{1, 6}}),
                   {Layout::apart, Layout::apart});
  for (std::string const scheduler : {"lws", "dmdas"}) {
    Runtime const runtime(scheduler, 2);
    FlowOptions how = options();
    // Two cores as if each had a memory of its own.
    for (int const worker : Runtime::cores().workers) how.domains.push_back({.workers = {worker}});
    for (Balance const balance : {Balance::fixed, Balance::dynamic, Balance::free}) {
      how.balance = balance;
      expect_same(test::fields_after(invariant_steps, tiling, how), expected,
                  "domains, " + scheduler);
    }
  }
}

TEST_P(Invariance, FieldsDoNotDependOnWhatIsKeptOfTheOldLattice) {
  FlowOptions both = options();
  both.both_lattices = true;
  expect_same(run({}, both), one_tile(), "both lattices");
}

TEST_P(Invariance, FieldsDoNotDependOnStepsPerSweep) {
  Fields const expected = one_tile();
  for (int const k : {2, 3, 8, invariant_steps}) {
    for (std::int32_t const tiles : {7, 24}) {
      expect_same(run({.tiles = tiles, .window = 1 + k % 4, .steps_per_sweep = k}, options()),
                  expected,
                  std::to_string(k) + " steps a sweep, " + std::to_string(tiles) + " tiles");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllNumbers, Invariance,
    testing::Combine(testing::Values(Precision::half_storage, Precision::single_precision,
                                     Precision::double_precision),
                     testing::Values(EquilibriumForm::linear, EquilibriumForm::second_order)),
    [](auto const& instance) {
      return std::string(name_of(std::get<0>(instance.param))) +
             (std::get<1>(instance.param) == EquilibriumForm::linear ? "Stokes" : "NavierStokes");
    });

}  // namespace
}  // namespace tessera

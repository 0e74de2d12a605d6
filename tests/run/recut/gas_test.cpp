// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "graph/runtime/runtime.hpp"
#include "graph/tile_graph.hpp"
#include "methods/spectral/spectral_method.hpp"
#include "tests/codelets/spectral/flows.hpp"
#include "tests/run/recut/ranks.hpp"

namespace tessera::spectral {
namespace {

using namespace test;
using tessera::test::by_the_first;
using tessera::test::cut_in_shares;

/// Curved, of unlike degrees, with walls.
MeshOfGas const& mesh() {
  BoundaryCondition const wall{BoundaryKind::slip_wall, {}};
  static MeshOfGas const space = gas_in({.dimension = 3,
                                         .cells = {8, 5, 4},
                                         .periodic = {true, false, true},
                                         .degree = in_turn(1, 2, 1.0 / 2),
                                         .turn = turned(3)},
                                        {wall, wall});
  return space;
}

Primitive<double> initial(Point const& at) {
  return {1 + 0.2 * std::sin(5 * at[0]), {0.3 * std::cos(4 * at[1]), 0.2, 0}, 1 + 0.1 * at[1]};
}

GasOptions options_of(StepRule rule) {
  GasOptions options;
  options.rule = rule;
  options.initial = initial;
  options.clock.sigma = 0.8;
  options.clock.fixed = 0.004;
  return options;
}

/// Sums over all points of all ranks, exact, and when.
struct Seen {
  std::vector<double> numbers;
  std::int64_t cuts = 0;
  std::int64_t steps = 0;
};

Seen seen_of(SpectralMethod& method, TileGraph& graph) {
  graph.submit_measurement();
  GasMeasurement const measured = method.take_measurement(graph.steps());
  Seen seen{.cuts = graph.balance_report().cuts, .steps = graph.steps()};
  for (double const sum : measured.integrals.conserved) seen.numbers.push_back(sum);
  seen.numbers.push_back(measured.extremes.least_density);
  seen.numbers.push_back(measured.extremes.least_pressure);
  seen.numbers.push_back(measured.dt);
  seen.numbers.push_back(measured.time);
  return seen;
}

Seen of_one(StepRule rule, std::int64_t steps) {
  return by_the_first([&] {
    Runtime const runtime("", 1, 0);
    SpectralMethod method(mesh(), cut_packs(mesh(), {{1, 3}}), options_of(rule));
    TileGraph graph(method, {});
    graph.submit_steps(steps);
    return seen_of(method, graph);
  });
}

void expect_same(Seen const& of_all, Seen const& one) {
  if (!Ranks::is_root()) return;
  ASSERT_EQ(of_all.numbers.size(), one.numbers.size());
  EXPECT_EQ(
      std::memcmp(of_all.numbers.data(), one.numbers.data(), one.numbers.size() * sizeof(double)),
      0);
}

class GasRecutOverRanks : public testing::TestWithParam<StepRule> {};

TEST_P(GasRecutOverRanks, ChangesNotABit) {
  BlockGraph const packs = pack_graph(mesh());
  Seen seen;
  {
    Runtime const runtime("", 1, 0);
    SpectralMethod method(mesh(), cut_in_shares(packs, {2, 1, 1}, 2), options_of(GetParam()));
    TileGraph graph(method, {});
    for (auto const& shares : {std::vector<double>{1, 2, 1}, {1, 1, 3}, {1, 1, 1}}) {
      graph.adopt(method.tiles_of(cut_in_shares(packs, shares, static_cast<int>(shares[1]))));
      graph.submit_steps(3);
    }
    seen = seen_of(method, graph);
  }
  EXPECT_EQ(seen.cuts, 3);
  expect_same(seen, of_one(GetParam(), seen.steps));
}

INSTANTIATE_TEST_SUITE_P(Rules, GasRecutOverRanks,
                         testing::Values(StepRule::late, StepRule::exact, StepRule::fixed));

TEST(GasRecutOverRanksByItself, HappensWhereOneHasTooMuch) {
  if (Ranks::alone()) GTEST_SKIP() << "there is nobody to balance with";
  BlockGraph const packs = pack_graph(mesh());
  Seen seen;
  {
    Runtime const runtime("", 1, 0);
    GasOptions options = options_of(StepRule::fixed);
    options.cut_anew = [&](NewShares const& shares) {
      return cut_in_shares(packs, shares.of_ranks, 2);
    };
    SpectralMethod method(mesh(), cut_in_shares(packs, {4, 1, 1}, 1), options);
    TileGraph graph(method, {});
    BalanceReport const& report = graph.balance_report();
    while (report.cuts == 0 && report.cut_refused.empty() && graph.steps() < 50'000)
      graph.submit_steps(1);
    graph.submit_steps(3);
    seen = seen_of(method, graph);
    EXPECT_GE(seen.cuts, 1) << report.cut_refused;
  }
  expect_same(seen, of_one(StepRule::fixed, seen.steps));
}

}  // namespace
}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// Spectral differences on the task graph: the same state, bit by bit, as a plain loop, whatever the
// tiles, workers, schedulers, windows, sweeps, cuts and pauses.
#include "methods/spectral/spectral_method.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "graph/runtime/runtime.hpp"
#include "graph/tile_graph.hpp"
#include "tests/codelets/spectral/flows.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

constexpr std::int64_t steps = 12;
constexpr double sigma = 0.8;
constexpr double fixed_step = 0.004;

/// A mesh that is curved, of unlike degrees, with walls.
MeshOfGas const& mesh(int dimension) {
  BoundaryCondition const wall{BoundaryKind::slip_wall, {}};
  BoundaryCondition const open{BoundaryKind::far_field, [](Point const&) {
                                 return Primitive<double>{1, {0.1, 0, 0}, 1};
                               }};
  static MeshOfGas const plane = gas_in({.dimension = 2,
                                         .cells = {9, 7, 1},
                                         .periodic = {false, true, true},
                                         .map_degree = 2,
                                         .bend =
                                             [](Point const& at) {
                                               Point to = bent_cube({at[0], at[1], 0.3});
                                               to[2] = 0;
                                               return to;
                                             },
                                         .degree = in_turn(2, 3, 1.0 / 3)},
                                        {wall, open});
  static MeshOfGas const space = gas_in({.dimension = 3,
                                         .cells = {4, 3, 4},
                                         .periodic = {true, false, true},
                                         .degree = in_turn(1, 2, 1.0 / 2),
                                         .turn = turned(3)},
                                        {wall, wall});
  return dimension == 2 ? plane : space;
}

Primitive<double> initial(Point const& at) {
  return {1 + 0.2 * std::sin(5 * at[0]), {0.3 * std::cos(4 * at[1]), 0.2, 0}, 1 + 0.1 * at[1]};
}

struct How {
  int dimension = 2;
  std::vector<Part> parts{{1, 5}};
  StepRule rule = StepRule::late;
  Numbers numbers = Numbers::float64;
  GraphOptions options{};
  std::string scheduler{};
  int cores = 2;
  bool cut_anew = false;
  bool saved = false;
  bool in_a_row = false;  ///< packs in a row, and both traces kept, as for several GPUs
};

/// States of all packs, as they stand in a tile.
using States = std::vector<std::vector<std::byte>>;

States states_of(TileGraph& graph) {
  States states;
  graph.save([&](std::size_t, UnitStore& store) {
    auto const& packs = dynamic_cast<PackStore const&>(store);
    states.resize(packs.packs());
    for (std::size_t p = 0; p < packs.packs(); ++p) {
      auto const state = packs.state(p);
      if (!state.empty()) states[p].assign(state.begin(), state.end());
    }
  });
  return states;
}

struct Seen {
  States states;
  double time = 0;
  GasMeasurement on_the_way, last;
};

Seen run(How const& how) {
  Runtime const runtime(how.scheduler, how.cores, 0);
  MeshOfGas const& of = mesh(how.dimension);
  GasOptions options;
  options.numbers = how.numbers;
  options.rule = how.rule;
  options.initial = initial;
  options.clock.sigma = sigma;
  options.clock.fixed = fixed_step;
  options.both_traces = how.in_a_row;
  auto const cut = how.in_a_row ? cut_packs_in_a_row : cut_packs;
  SpectralMethod method(of, cut(of, how.parts), options);
  TileGraph graph(method, how.options);
  graph.measure_at(5);
  graph.submit_steps(7);
  if (how.cut_anew) {
    graph.adopt(method.tiles_of(cut_packs(of, {{1, 3}})));
    graph.submit_steps(2);
    graph.adopt(method.tiles_of(cut_packs(of, {{0.7, 2}, {0.3, 2}})));
  }
  if (how.saved) {
    States const saved = states_of(graph);
    std::int64_t const step = graph.steps();
    Clock const clock = method.clock(step);
    graph.submit_steps(2);
    method.resume_clock(clock);
    graph.restore(step, [&](std::size_t, UnitStore& store) {
      auto& packs = dynamic_cast<PackStore&>(store);
      for (std::size_t p = 0; p < packs.packs(); ++p) {
        auto const state = packs.state(p);
        if (!state.empty()) std::ranges::copy(saved[p], state.begin());
      }
    });
  }
  graph.submit_steps(steps - graph.steps());
  graph.submit_measurement();
  Seen seen{.states = states_of(graph), .time = method.clock(steps).time};
  seen.on_the_way = method.take_measurement(5);
  seen.last = method.take_measurement(steps);
  return seen;
}

/// Runs the flow of run() in a plain loop on one tile, for comparison.
template <class N>
Seen plain(int dimension, StepRule rule) {
  MeshOfGas const& of = mesh(dimension);
  BareLoop<N> loop(of, {}, initial);
  Seen seen;
  double late = loop.stable_step(sigma);
  for (std::int64_t step = 0; step < steps; ++step) {
    double const now = loop.stable_step(sigma);
    double const dt = rule == StepRule::fixed ? fixed_step : rule == StepRule::exact ? now : late;
    late = now;
    loop.step(dt);
    seen.time += dt;
  }
  for (std::size_t p = 0; p < of.packs.packs.size(); ++p) {
    PackShape const shape{dimension, of.packs.packs[p].degree};
    auto const* const state =
        reinterpret_cast<std::byte const*>(loop.state_of_pack(static_cast<std::int32_t>(p)));
    seen.states.emplace_back(state,
                             state + sizeof(N) * static_cast<std::size_t>(shape.state_size()));
  }
  return seen;
}

/// Runs a flow on the task graph in one tile; equal flows are computed once only.
Seen const& run_in_one_tile(How const& how) {
  static std::map<std::tuple<int, StepRule, Numbers>, Seen> runs;
  auto const [found, is_new] = runs.try_emplace({how.dimension, how.rule, how.numbers});
  if (is_new) {
    How one;
    one.dimension = how.dimension;
    one.parts = {{1, 1}};
    one.rule = how.rule;
    one.numbers = how.numbers;
    found->second = run(one);
  }
  return found->second;
}

void expect_plain(How const& how, std::string const& what) {
  SCOPED_TRACE(what);
  Seen const expected = how.numbers == Numbers::float64 ? plain<double>(how.dimension, how.rule)
                                                        : plain<float>(how.dimension, how.rule);
  Seen const seen = run(how);
  EXPECT_TRUE(seen.states == expected.states);
  EXPECT_NEAR(seen.time, expected.time, 1e-14);
  EXPECT_EQ(seen.last.time, seen.time);
  Seen const& in_one = run_in_one_tile(how);
  for (auto const& [a, b] :
       {std::pair{seen.last, in_one.last}, std::pair{seen.on_the_way, in_one.on_the_way}}) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.dt, b.dt);
    EXPECT_EQ(a.integrals.volume, b.integrals.volume);
    for (int v = 0; v < variables; ++v)
      EXPECT_EQ(a.integrals.conserved[v], b.integrals.conserved[v]);
    EXPECT_EQ(a.integrals.entropy, b.integrals.entropy);
    EXPECT_EQ(a.extremes.largest_mach, b.extremes.largest_mach);
    EXPECT_EQ(a.broken_pack, -1);
  }
}

TEST(SpectralMethod, DoesNotDependOnTheTiles) {
  for (int const tiles : {2, 5}) {
    for (int const dimension : {2, 3})
      expect_plain({.dimension = dimension, .parts = {{1, tiles}}}, std::to_string(tiles));
  }
  expect_plain({.parts = {{1, 7}}, .numbers = Numbers::float32}, "float");
}

TEST(SpectralMethod, DoesNotDependOnTilesInARow) {
  for (int const dimension : {2, 3}) {
    How how{.dimension = dimension, .parts = {{1, 3}, {1, 2}}, .cut_anew = true, .saved = true};
    how.in_a_row = true;
    expect_plain(how, std::to_string(dimension));
  }
}

TEST(SpectralMethod, DoesNotDependOnWorkersSchedulersAndWindows) {
  expect_plain({.cores = 1}, "one core");
  for (char const* const scheduler : {"eager", "dmdas"})
    expect_plain({.options = {.balance = Balance::free}, .scheduler = scheduler}, scheduler);
  for (int const window : {1, 9})
    expect_plain({.options = {.window = window}}, "window " + std::to_string(window));
}

TEST(SpectralMethod, TakesItsTimeStepFromWhereItIsTold) {
  for (StepRule const rule : {StepRule::exact, StepRule::fixed}) expect_plain({.rule = rule}, "");
}

TEST(SpectralMethod, DoesNotDependOnSweeps) {
  for (int const sweep : {2, 5})
    expect_plain(
        {.parts = {{1, 8}}, .rule = StepRule::fixed, .options = {.steps_per_sweep = sweep}},
        "sweeps of " + std::to_string(sweep));
}

TEST(SpectralMethod, GoesOnInOtherTilesAndFromWhatWasSaved) {
  expect_plain({.cut_anew = true}, "cut anew");
  expect_plain({.dimension = 3, .saved = true}, "saved");
  for (StepRule const rule : {StepRule::late, StepRule::exact, StepRule::fixed}) {
    expect_plain({.rule = rule, .cut_anew = true, .saved = true}, "both");
  }
}

TEST(SpectralMethod, HasBothSetsOfTracesOnlyOfTilesThatAreUnderWay) {
  Runtime const runtime({}, 1, 0);
  MeshOfGas const of = gas_in({.dimension = 3, .cells = {24, 24, 24}, .degree = everywhere(1)});
  // No two tiles of a size.
  constexpr std::int32_t tiles = 16;
  TwoLevelCut cut{.part_of_tile = std::vector<std::int32_t>(tiles), .rank_of_tile = {}};
  for (std::int32_t t = 0; t < tiles; ++t)
    cut.tile_of_block.insert(cut.tile_of_block.end(),
                             std::size_t{100} + static_cast<std::size_t>(t), t);
  cut.tile_of_block.resize(of.packs.packs.size(), tiles - 1);
  GasOptions options;
  options.initial = density_wave(0);
  SpectralMethod method(of, cut, options);
  TileGraph graph(method, {});
  graph.submit_steps(4);
  graph.wait();
  double const numbers = static_cast<double>(graph.bytes_in_use() - method.bytes_beside_buffers()) /
                         sizeof(double) / static_cast<double>(of.mesh.points());
  double const states = 2.0 * variables;
  double const traces = 3.0 * variables;
  double const outboxes = 2 * 0.2 * traces;
  EXPECT_LT(numbers, states + 1.15 * traces * (1 + 4.0 / tiles) + outboxes);
}

TEST(SpectralMethod, EndsStepsAtTimesThatAreAsked) {
  Runtime const runtime({}, 2, 0);
  MeshOfGas const& of = mesh(2);
  GasOptions options;
  options.initial = initial;
  options.clock.sigma = sigma;
  options.clock.meet = {0.05, 0.0525};
  SpectralMethod method(of, cut_packs(of, {{1, 4}}), options);
  TileGraph graph(method, {});
  std::vector<double> times;
  for (int step = 1; step <= 40; ++step) graph.measure_at(step);
  graph.submit_steps(40);
  for (int step = 1; step <= 40; ++step) times.push_back(method.take_measurement(step).time);
  EXPECT_NE(std::ranges::find_if(times, [](double t) { return std::abs(t - 0.05) < 1e-15; }),
            times.end());
  EXPECT_NEAR(times.back(), 0.0525, 1e-15) << "and none goes on from there";
}

TEST(SpectralMethod, MeasuresWhatAVortexHasAndHowFarItIsFromTheExactOne) {
  Runtime const runtime({}, 2, 0);
  MeshOfGas const of = gas_in(square(10, everywhere(3)));
  GasOptions options;
  options.rule = StepRule::fixed;
  options.initial = vortex(0);
  options.clock.fixed = 10.0 / 240;
  options.exact = [](Point const& at, double time) { return vortex(time)(at); };
  SpectralMethod method(of, cut_packs(of, {{1, 4}}), options);
  TileGraph graph(method, {});
  graph.submit_measurement();
  graph.submit_steps(240);
  graph.submit_measurement();
  GasMeasurement const first = method.take_measurement(0);
  GasMeasurement const last = method.take_measurement(240);
  EXPECT_NEAR(last.time, 10, 1e-12);
  EXPECT_NEAR(last.integrals.volume, 100, 1e-11);
  for (int v = 0; v < variables; ++v)
    EXPECT_NEAR(last.integrals.conserved[v], first.integrals.conserved[v], 1e-11);
  double const error = std::sqrt(last.integrals.squared_errors[0] / last.integrals.volume);
  EXPECT_NEAR(error, 7.498747e-4, 0.01 * 7.498747e-4);
  EXPECT_NEAR(first.extremes.largest_speed, 1.75, 0.1);
}

TEST(SpectralMethod, HasNoStepWhereOnePointOfTheStateIsNoNumber) {
  Runtime const runtime({}, 2, 0);
  MeshOfGas const of = gas_in(square(10, everywhere(3)));
  for (Numbers const numbers : {Numbers::float64, Numbers::float32}) {
    int points = 0;
    GasOptions options;
    options.numbers = numbers;
    options.initial = [&](Point const& at) {
      // The first point of an element in the middle of the mesh.
      bool const broken = at[0] > 5 && at[0] < 5.1 && at[1] > 5 && at[1] < 5.1;
      if (broken) ++points;
      return broken ? Primitive<double>{std::nan(""), {}, 1} : vortex(0)(at);
    };
    SpectralMethod method(of, cut_packs(of, {{1, 1}}), options);
    TileGraph const graph(method, {});
    EXPECT_TRUE(std::isnan(method.clock(0).dt));
    EXPECT_EQ(points, 1);
  }
}

TEST(SpectralMethod, NamesAPackThatIsBroken) {
  Runtime const runtime({}, 2, 0);
  MeshOfGas const of = gas_in(square(10, everywhere(3)));
  GasOptions options;
  options.rule = StepRule::fixed;
  options.initial = vortex(0);
  options.clock.fixed = 5;
  SpectralMethod method(of, cut_packs(of, {{1, 4}}), options);
  TileGraph graph(method, {});
  graph.submit_steps(10);
  graph.submit_measurement();
  EXPECT_GE(method.take_measurement(10).broken_pack, 0);
}

}  // namespace
}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// The task graph runs another method than the lattice: same field, bit by bit, as a plain loop,
// whatever the tiles, workers, schedulers, windows, sweeps, cuts and pauses.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "graph/runtime/runtime.hpp"
#include "graph/tile_graph.hpp"
#include "tests/graph/runtime/diffusion_method.hpp"

namespace tessera::test {
namespace {

constexpr std::int32_t rows = 60;
constexpr std::int32_t width = 48;
constexpr std::int64_t steps = 24;

/// The whole torus in two plain arrays.
std::vector<double> plain_field() {
  std::vector<double> u;
  for (std::int32_t r = 0; r < rows; ++r) {
    for (std::int32_t c = 0; c < width; ++c) u.push_back(at_first(r, c));
  }
  auto const moved = [](std::vector<double> const& f) {
    auto const at = [&](std::int32_t r, std::int32_t c) {
      auto const row = static_cast<std::size_t>((r + rows) % rows);
      return f[row * width + static_cast<std::size_t>((c + width) % width)];
    };
    std::vector<double> result;
    for (std::int32_t r = 0; r < rows; ++r) {
      for (std::int32_t c = 0; c < width; ++c)
        result.push_back(forward(at(r, c), at(r, c - 1), at(r, c + 1), at(r - 1, c), at(r + 1, c)));
    }
    return result;
  };
  for (std::int64_t step = 0; step < steps; ++step) {
    std::vector<double> const v = moved(u);
    std::vector<double> const w = moved(v);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = after_stage(1, u[i], w[i]);
  }
  return u;
}

/// Rows in `tiles` tiles: in pieces of one behind the other, or dealt out in turn, `deal` at a
/// time.
TileOfRow cut(std::int32_t tiles, std::int32_t deal = 0) {
  TileOfRow tile_of_row;
  for (std::int32_t r = 0; r < rows; ++r)
    tile_of_row.push_back(deal > 0 ? r / deal % tiles : r * tiles / rows);
  return tile_of_row;
}

struct How {
  TileOfRow tiles = cut(6);
  GraphOptions options{};
  std::string scheduler{};
  int cores = 2;
  int gpus = 0;
  std::int32_t parts = 1;
  bool cut_anew = false;
  bool saved = false;
};

struct Seen {
  std::vector<double> field;
  double sum_on_the_way = 0;
  double last_sum = 0;
};

std::vector<double> field_of(TileGraph& graph) {
  std::vector<double> field;
  graph.save([&](std::size_t, UnitStore& store) {
    auto const& values = dynamic_cast<RowStore&>(store).values;
    field.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) field[i] += values[i];  // others are 0
  });
  return field;
}

Seen run(How const& how) {
  Runtime const runtime(how.scheduler, how.cores, how.gpus);
  DiffusionMethod method(how.tiles, width, how.parts);
  GraphOptions options = how.options;
  if (how.gpus > 0) options.domains = Runtime::domains(how.parts > how.gpus);
  TileGraph graph(method, options);
  graph.measure_at(5);
  graph.submit_steps(8);
  if (how.cut_anew) {
    graph.adopt(std::make_unique<NewRows>(cut(4, 3)));
    graph.submit_steps(3);
    graph.adopt(std::make_unique<NewRows>(cut(9)));
  }
  if (how.saved) {
    std::vector<double> const saved = field_of(graph);
    std::int64_t const step = graph.steps();
    graph.submit_steps(2);
    graph.restore(step, [&](std::size_t, UnitStore& store) {
      dynamic_cast<RowStore&>(store).values = saved;
    });
  }
  graph.submit_steps(steps - graph.steps());
  graph.submit_measurement();
  return {field_of(graph), method.sum(5), method.sum(steps)};
}

class Diffusion : public testing::Test {
 protected:
  static void expect_plain(How const& how, std::string const& what) {
    SCOPED_TRACE(what);
    static std::vector<double> const plain = plain_field();
    static Seen const one = run({.tiles = cut(1)});
    Seen const seen = run(how);
    EXPECT_EQ(seen.field, plain);
    EXPECT_EQ(seen.last_sum, one.last_sum);
    EXPECT_EQ(seen.sum_on_the_way, one.sum_on_the_way);
    EXPECT_NEAR(seen.last_sum, seen.sum_on_the_way, 1e-12 * std::abs(seen.last_sum)) << "conserved";
  }
};

TEST_F(Diffusion, DoesNotDependOnTheTiles) {
  expect_plain({.tiles = cut(1)}, "one tile");
  expect_plain({.tiles = cut(7)}, "seven tiles");
  expect_plain({.tiles = cut(5, 2)}, "tiles of scattered rows");
}

TEST_F(Diffusion, DoesNotDependOnWorkersSchedulersAndWindows) {
  expect_plain({.cores = 1}, "one core");
  for (char const* const scheduler : {"eager", "dmdas"})
    expect_plain({.options = {.balance = Balance::free}, .scheduler = scheduler}, scheduler);
  for (int const window : {1, 9})
    expect_plain({.options = {.window = window}}, "window " + std::to_string(window));
}

TEST_F(Diffusion, DoesNotDependOnSweeps) {
  for (int const sweep : {2, 5})
    expect_plain({.tiles = cut(12), .options = {.steps_per_sweep = sweep}},
                 "sweeps of " + std::to_string(sweep));
}

TEST_F(Diffusion, GoesOnInOtherTilesAndFromWhatWasSaved) {
  expect_plain({.cut_anew = true}, "cut anew");
  expect_plain({.saved = true}, "saved");
  expect_plain({.options = {.steps_per_sweep = 3}, .cut_anew = true, .saved = true}, "all of it");
}

TEST_F(Diffusion, OnAGpuIsTheSame) {
  if (Runtime::gpus_present() == 0) GTEST_SKIP() << "no GPU here";
  expect_plain({.gpus = 1}, "GPU");
  expect_plain({.gpus = 1, .parts = 2}, "GPU and cores");
  expect_plain({.tiles = cut(12), .options = {.steps_per_sweep = 3, .rooms = 8}, .gpus = 1},
               "rooms");
  expect_plain({.gpus = 1, .cut_anew = true, .saved = true}, "cut anew and saved");
}

}  // namespace
}  // namespace tessera::test

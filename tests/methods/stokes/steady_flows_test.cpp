// SPDX-License-Identifier: MIT
// Flows with answers from elsewhere, hard pore spaces, and what must not change an answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "tests/data.hpp"
#include "tests/methods/stokes/flows.hpp"
#include "tests/methods/stokes/reference.hpp"

namespace tessera {
namespace {

using test::iterated;
using test::stokes_options;

double k_of(double velocity_sum, Geometry const& geometry) {
  return velocity_sum / 6 / static_cast<double>(volume(geometry.shape));
}

TEST(SteadyPlates, HaveTheFormulasPermeability) {
  for (double const magic : {3.0 / 16, 0.25, 0.1}) {
    for (std::int64_t const gap : {1, 2, 5, 16}) {
      Geometry const geometry = plates(gap, 2, Axis::z, 3);
      auto const flow =
          iterated(geometry, Axis::x, stokes_options(Precision::double_precision, magic), 60);
      auto const h = static_cast<double>(gap);
      double const k = h / (h + 2) / 2 * ((h * h + 0.5) / 6 + 4 * magic / 3 - 0.25);
      EXPECT_NEAR(k_of(flow.confirmation.quadratic, geometry) / k, 1, 1e-12) << gap << " " << magic;
    }
  }
}

TEST(SteadyDuct, HasThePermeabilityOfPlainSteps) {
  Geometry const geometry = rectangular_duct(7, 4, Axis::y, 2);
  test::PlainFlow plain(geometry, Axis::y, 3.0 / 16);
  auto const flow = iterated(geometry, Axis::y, stokes_options(Precision::double_precision), 40);
  EXPECT_NEAR(flow.confirmation.quadratic / plain.settle(), 1, 1e-12);
}

// What an independent TRT code gives for the same voxels:
// tests/methods/lattice/sphere_array_test.cpp.
TEST(SteadySpheres, HaveThePermeabilityOfAnIndependentCode) {
  struct Row {
    std::int64_t n;
    double c, magic, k;
  };
  std::vector<Row> const rows{
      {16, 0.125, 3.0 / 16, 10.74763725},   {16, 0.125, 0.25, 10.96176943},
      {16, 0.5236, 3.0 / 16, 0.5834720247}, {16, 0.5236, 0.25, 0.6066828583},
      {32, 0.216, 3.0 / 16, 19.06757213},   {32, 0.5236, 0.25, 2.493519659}};
  for (Row const& row : rows) {
    Geometry const geometry = sphere_array(SphereLattice::sc, row.n, row.c);
    for (Precision const precision : {Precision::double_precision, Precision::single_precision}) {
      auto const space = make_stokes_space(geometry, stokes_options(precision, row.magic));
      auto const solver = space->solver(Axis::x);
      StokesResult const result = solve(*solver, 1e-4, 100);
      EXPECT_TRUE(result.confirmed);
      EXPECT_LE(result.estimate.iterations, 40);
      EXPECT_NEAR(k_of(result.estimate.quadratic, geometry) / row.k, 1, 1e-4);
      solver->iterate(25);
      // Not more: the table's converged to 1e-8 or so.
      EXPECT_NEAR(k_of(solver->confirm().quadratic, geometry) / row.k, 1, 3e-8)
          << row.n << " " << row.c << " " << row.magic;
    }
  }
}

/// A chamber behind a throat of one voxel, dead ends, and a tube beside, all along x.
Geometry chamber_and_tube() {
  Geometry geometry = uniform_box({24, 20, 16}, 0);
  geometry.periodic = {true, false, false};
  test::carve(geometry, {4, 2, 2}, {20, 12, 14});  // a vug
  test::carve(geometry, {0, 6, 6}, {24, 7, 7});    // its throats
  test::carve(geometry, {8, 12, 8}, {9, 16, 9});   // a dead end
  test::carve(geometry, {0, 17, 2}, {24, 19, 4});  // a tube of its own
  test::carve(geometry, {0, 17, 8}, {24, 18, 9});  // and a narrow one
  return geometry;
}

TEST(SteadyFlow, TakesVugsThroatsDeadEndsAndSeveralPoreSpaces) {
  Geometry const geometry = chamber_and_tube();
  test::PlainFlow plain(geometry, Axis::x, 3.0 / 16);
  double const expected = plain.settle();
  for (Precision const precision : {Precision::double_precision, Precision::single_precision}) {
    auto const space = make_stokes_space(geometry, stokes_options(precision));
    EXPECT_EQ(space->parts(), 3);
    auto const solver = space->solver(Axis::x);
    StokesResult const result = solve(*solver, 1e-3, 100);
    EXPECT_TRUE(result.confirmed);
    EXPECT_LE(result.estimate.iterations, 40);
    EXPECT_NEAR(result.estimate.quadratic / expected, 1, 1e-3);
    solver->iterate(60);
    solver->confirm();
    auto const last = solver->iterate(30);
    EXPECT_NEAR(last.quadratic / expected, 1, 1e-8);
  }
}

TEST(SteadyFlow, TakesManyPoreSpaces) {
  // Tubes of one voxel and one of four, each by itself.
  Geometry geometry = uniform_box({6, 40, 40}, 0);
  geometry.periodic = {true, true, true};
  for (std::int64_t z = 0; z < 40; z += 2) {
    for (std::int64_t y = 0; y < 40; y += 2) {
      for (std::int64_t x = 0; x < 6; ++x)
        geometry.pore[linear_index(geometry.shape, {x, y, z})] = 1;
    }
  }
  for (std::int64_t x = 0; x < 6; ++x) geometry.pore[linear_index(geometry.shape, {x, 7, 0})] = 1;
  test::PlainFlow plain(geometry, Axis::x, 3.0 / 16);
  auto const space = make_stokes_space(geometry, stokes_options(Precision::single_precision));
  EXPECT_EQ(space->parts(), 399);
  auto const solver = space->solver(Axis::x);
  solver->iterate(20);
  EXPECT_NEAR(solver->confirm().quadratic / plain.settle(), 1, 1e-6);
}

TEST(SteadyFlow, IsRefusedWhereNothingHoldsIt) {
  Geometry geometry = uniform_box({6, 5, 4}, 1);
  geometry.periodic = {true, true, true};
  EXPECT_THROW(make_stokes_space(geometry, {}), BadInput);
  EXPECT_THROW(make_stokes_space(uniform_box({6, 5, 4}, 0), {}), BadInput);
  auto const space = make_stokes_space(uniform_box({6, 5, 4}, 1), {});
  EXPECT_THROW(space->solver(Axis::x), BadInput);
}

Geometry spheres() {
  return test::leading_through(overlapping_spheres({48, 40, 44}, 6, 0.3, 5).geometry, Axis::y);
}

TEST(SteadyFlow, DoesNotDependOnThreadsOrRanges) {
  Geometry const geometry = spheres();
  auto const solve_with = [&](StokesOptions const& options) {
    auto const space = make_stokes_space(geometry, options);
    auto const solver = space->solver(Axis::y);
    solver->iterate(11);
    solver->confirm();
    solver->iterate(6);
    return std::pair(solver->estimate().quadratic, solver->fields());
  };
  auto const alone = solve_with({});
  StokesOptions three;
  three.threads = 3;
  EXPECT_EQ(solve_with(three), alone);
  StokesOptions five;
  five.threads = 5;
  five.on_each_thread = [](std::function<void(int)> const& work) {
    for (int thread = 4; thread >= 0; --thread) work(thread);
  };
  EXPECT_EQ(solve_with(five), alone);
}

TEST(SteadyFlow, GoesOnFromASavedState) {
  Geometry const geometry = spheres();
  auto const space = make_stokes_space(geometry, {});
  auto const solver = space->solver(Axis::y);
  solver->iterate(7);
  solver->confirm();
  solver->iterate(6);
  auto const saved = solver->saved();
  auto const later = solver->iterate(5);
  auto const other = space->solver(Axis::y);
  other->restore_saved(saved);
  auto const again = other->iterate(5);
  EXPECT_EQ(again.quadratic, later.quadratic);
  EXPECT_EQ(again.iterations, later.iterations);
  EXPECT_EQ(again.step_equivalents, later.step_equivalents);
  EXPECT_EQ(other->fields(), solver->fields());
  EXPECT_THROW(other->restore_saved(std::vector<std::byte>(10)), BadInput);
}

TEST(SteadyFlow, SaysThatItIsBroken) {
  Geometry const geometry = spheres();
  auto const space = make_stokes_space(geometry, {});
  auto const solver = space->solver(Axis::y);
  solver->iterate(3);
  auto saved = solver->saved();
  std::fill(saved.begin() + 4096, saved.begin() + 8192, std::byte{0xFF});  // not numbers
  solver->restore_saved(saved);
  auto const estimate = solver->iterate(8);
  EXPECT_TRUE(estimate.broken);
  EXPECT_FALSE(estimate.error_estimate < 1);
  EXPECT_FALSE(solve(*solver, 1e-3, 50).confirmed);
}

// A state that is not what the recurrence takes it for is found out, and mended.
TEST(SteadyFlow, FindsThatTheRecurrenceIsWrong) {
  Geometry const geometry = spheres();
  auto const options = stokes_options(Precision::single_precision);
  double const exact = iterated(geometry, Axis::y, stokes_options(Precision::double_precision), 45)
                           .confirmation.quadratic;
  auto const space = make_stokes_space(geometry, options);
  auto const solver = space->solver(Axis::y);
  solver->iterate(6);
  auto saved = solver->saved();
  // v_j and v_{j-1} with some of their digits lost: the recurrence runs on, with another operator.
  for (std::size_t at = 0; at < saved.size() / 20; at += 4) {
    saved[at] = std::byte{0};
    saved[at + 1] = std::byte{0};
    saved[at + 2] &= std::byte{0x80};
  }
  solver->restore_saved(saved);
  StokesResult const result = solve(*solver, 1e-3, 200);
  EXPECT_TRUE(result.confirmed);
  EXPECT_NEAR(result.estimate.quadratic / exact, 1, 1e-3);
}

/// A raw uint8 cube, 0 = pore, unpacked by gzip.
Geometry cube(std::filesystem::path const& packed, std::int64_t edge) {
  Geometry geometry{{edge, edge, edge}, {}, {}};
  geometry.pore.resize(static_cast<std::size_t>(edge * edge * edge));
  std::string const command = "gzip -dc '" + packed.string() + "'";
  // NOLINTNEXTLINE(bugprone-command-processor): a file of published data
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << command;
    return geometry;
  }
  EXPECT_EQ(std::fread(geometry.pore.data(), 1, geometry.pore.size(), pipe), geometry.pore.size());
  pclose(pipe);
  for (std::uint8_t& voxel : geometry.pore) voxel = voxel == 0 ? 1 : 0;
  return geometry;
}

double k_of(double velocity_sum, FlowBox const& box) {
  return velocity_sum / 6 * box.sample_share * box.sample_share /
         static_cast<double>(volume(box.sample_upper - box.sample_lower));
}

// Plain steps in double by an independent TRT code; its periodic values are the same to 10 digits
// for relaxation times of 0.55 to 1.5.
TEST(SteadyRocks, HaveThePermeabilityOfPlainSteps) {
  TESSERA_DATA_OR_SKIP(path, "berea_40_u8.raw.gz");
  struct Row {
    Axis axis;
    FlowSetup setup;
    double magic, k, accuracy;
  };
  for (Row const& row : {Row{Axis::x, FlowSetup::periodic, 3.0 / 16, 7.384392326e-4, 1e-8},
                         Row{Axis::y, FlowSetup::periodic, 3.0 / 16, 3.218229744e-2, 1e-8},
                         Row{Axis::z, FlowSetup::periodic, 3.0 / 16, 1.792845636e-2, 1e-8},
                         Row{Axis::x, FlowSetup::periodic, 0.25, 8.663123803e-4, 1e-8},
                         Row{Axis::y, FlowSetup::sealed, 3.0 / 16, 0.0310596, 2e-5}}) {
    FlowBox const box = flow_box(cube(path, 40), row.axis, row.setup);
    Geometry const geometry = test::leading_through(box.geometry, row.axis);
    auto const exact =
        iterated(geometry, row.axis, stokes_options(Precision::double_precision, row.magic), 65);
    EXPECT_NEAR(k_of(exact.confirmation.quadratic, box) / row.k, 1, row.accuracy)
        << name_of(row.axis) << " " << row.magic;
    if (row.magic == 0.25) continue;
    auto const space = make_stokes_space(geometry, {});
    auto const solver = space->solver(row.axis);
    StokesResult const result = solve(*solver, 1e-3, 100);
    EXPECT_TRUE(result.confirmed);
    EXPECT_LE(result.estimate.iterations, 40);
    EXPECT_NEAR(result.estimate.quadratic / exact.confirmation.quadratic, 1, 1e-3);
    EXPECT_NEAR(solver->iterate(35).quadratic / exact.confirmation.quadratic, 1, 1e-7);
  }
}

TEST(LongSteadyRocks, TakeFewIterations) {
  TESSERA_DATA_OR_SKIP(berea, "berea_100_u8.raw.gz");
  TESSERA_DATA_OR_SKIP(bentheimer, "bentheimer_120_u8.raw.gz");
  struct Row {
    std::filesystem::path path;
    std::int64_t edge;
    FlowSetup setup;
    double k;
  };
  for (Row const& row : {Row{berea, 100, FlowSetup::sealed, 0.0258123},
                         Row{bentheimer, 120, FlowSetup::periodic, 0.0938934}}) {
    FlowBox const box = flow_box(cube(row.path, row.edge), Axis::x, row.setup);
    Geometry const geometry = test::leading_through(box.geometry, Axis::x);
    auto const space = make_stokes_space(geometry, {});
    StokesResult const result = solve(*space->solver(Axis::x), 1e-3, 100);
    EXPECT_TRUE(result.confirmed);
    EXPECT_LE(result.estimate.iterations, 40);
    EXPECT_NEAR(k_of(result.estimate.quadratic, box) / row.k, 1, 1e-3);
  }
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// Flows through grey voxels: against plain steps, against exact solutions, between solid and open
// pores.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "methods/stokes/stokes.hpp"
#include "models/lattice/d3q19.hpp"
#include "models/lattice/grey_medium.hpp"
#include "tests/methods/stokes/flows.hpp"

namespace tessera {
namespace {

using test::box_of;

constexpr double nu = 1.0 / 6;

double permeability(Geometry const& geometry, std::vector<double> const& grey, Axis axis,
                    double tolerance) {
  StokesOptions options;
  options.grey = grey;
  auto const space = make_stokes_space(geometry, options);
  auto const solver = space->solver(axis);
  StokesResult const found = solve(*solver, tolerance, 2000);
  EXPECT_TRUE(found.confirmed);
  return nu * found.confirmation.quadratic / static_cast<double>(volume(geometry.shape));
}

/// k by time steps with a force of 1, as models/lattice/grey_medium.hpp says what a link passes.
double by_steps(Geometry const& geometry, std::vector<double> const& grey, Axis axis, int steps) {
  using Populations = std::array<double, D3Q19::size>;
  Int3 const shape = geometry.shape;
  auto const n = geometry.pore.size();
  auto const resistance = [&](Int3 at) {
    for (Axis const a : all_axes) at[a] = (at[a] + shape[a]) % shape[a];
    std::uint8_t const kind = geometry.pore[linear_index(shape, at)];
    if (kind == 0) return grey_medium::solid;
    return kind > 1 ? nu / grey[kind - 2U] : 0.0;
  };
  auto const passing = [&](Int3 node, int q) {
    Int3 const other = node + Int3{D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)};
    double const own = resistance(node);
    if (resistance(other) < 0) return 0.0;
    double const t = grey_medium::passing(own, resistance(other));
    if (q > 6 || resistance(other) != own) return t;
    std::array<Int3, 4> sides{};
    std::size_t count = 0;
    for (int d = 1; d <= 6; ++d) {
      if ((d - 1) / 2 != (q - 1) / 2) sides.at(count++) = {D3Q19::x(d), D3Q19::y(d), D3Q19::z(d)};
    }
    return t * grey_medium::straight_factor(nu, own, [&](int end, int side) {
             return resistance((end == 0 ? node : other) +
                               sides.at(static_cast<std::size_t>(side)));
           });
  };
  std::vector<Populations> now(n, Populations{}), next(n, Populations{});
  constexpr double magic = 3.0 / 16;
  constexpr double other = (2 * magic - 0.5) / (2 * magic + 0.5);
  double momentum_of_all = 0;  // of the last two steps: single ones carry an oscillation
  double nodes = 0;
  for (int step = 0; step < steps; ++step) {
    if (step < steps - 1) momentum_of_all = nodes = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (geometry.pore[i] == 0) continue;
      auto const index = static_cast<std::int64_t>(i);
      Int3 const at{index % shape.x, index / shape.x % shape.y, index / (shape.x * shape.y)};
      Populations in = now[i];
      for (int q = 1; q < D3Q19::size; ++q) {
        int const back = q % 2 == 1 ? q + 1 : q - 1;
        Int3 const from{(at.x - D3Q19::x(q) + shape.x) % shape.x,
                        (at.y - D3Q19::y(q) + shape.y) % shape.y,
                        (at.z - D3Q19::z(q) + shape.z) % shape.z};
        std::size_t const j = linear_index(shape, from);
        double const t = passing(at, back);
        in.at(static_cast<std::size_t>(q)) = t * now[j].at(static_cast<std::size_t>(q)) +
                                             (1 - t) * now[i].at(static_cast<std::size_t>(back));
      }
      double density = 0;
      std::array<double, 3> momentum{};
      for (int q = 0; q < D3Q19::size; ++q) {
        double const f = in.at(static_cast<std::size_t>(q));
        density += f;
        momentum[0] += D3Q19::x(q) * f;
        momentum[1] += D3Q19::y(q) * f;
        momentum[2] += D3Q19::z(q) * f;
      }
      std::array<double, 3> after = momentum;
      after.at(index_of(axis)) += 1;
      for (int q = 0; q < D3Q19::size; ++q) {
        int const back = q == 0 ? 0 : q % 2 == 1 ? q + 1 : q - 1;
        double const w = q == 0 ? 1.0 / 3 : q <= 6 ? 1.0 / 18 : 1.0 / 36;
        auto const along = [&](std::array<double, 3> const& m) {
          return 3 * w * (D3Q19::x(q) * m[0] + D3Q19::y(q) * m[1] + D3Q19::z(q) * m[2]);
        };
        double const odd =
            (in.at(static_cast<std::size_t>(q)) - in.at(static_cast<std::size_t>(back))) / 2;
        next[i].at(static_cast<std::size_t>(q)) =
            w * density + along(after) + other * (odd - along(momentum));
      }
      momentum_of_all += after.at(index_of(axis));
      nodes += 1;
    }
    now.swap(next);
  }
  return nu * (momentum_of_all - 0.5 * nodes) / 2 / static_cast<double>(volume(shape));
}

TEST(GreyVoxels, OfOneKindHaveTheirOwnPermeability) {
  Geometry const all = box_of({6, 5, 4}, [](Int3) { return 2; });
  for (double const k : {1e-6, 1e-3, 1.0 / 12, 0.7, 50.0})
    EXPECT_NEAR(permeability(all, {k}, Axis::y, 1e-7) / k, 1, 2e-7) << k;
}

TEST(GreyVoxels, InSeriesHaveTheHarmonicMean) {
  std::vector<double> const k{1e-3, 0.1, 5, 1e-5, 2, 0.3};
  Geometry const layers = box_of({4, 3, 6}, [](Int3 at) { return 2 + static_cast<int>(at.z); });
  double resistance = 0;
  for (double const own : k) resistance += 1 / own / 6;
  EXPECT_NEAR(permeability(layers, k, Axis::z, 1e-7) * resistance, 1, 1e-6);
}

/// Brinkman's layer takes sqrt(k) of the width beside each wall, however little that is.
TEST(GreyVoxels, ConductUpToTheirWalls) {
  for (int const gap : {1, 2, 8}) {
    Geometry const plates = box_of({gap + 1, 3, 3}, [gap](Int3 at) { return at.x < gap ? 2 : 0; });
    for (double const k : {1e-6, 1e-3, 1e-2, 0.05, 0.1, 0.2}) {
      double const width = std::sqrt(k);
      double const exact = k * (gap - 2 * width * std::tanh(gap / 2.0 / width)) / (gap + 1);
      double const found = permeability(plates, {k}, Axis::z, 1e-6);
      EXPECT_NEAR((found - exact) / k * (gap + 1) / 2, 0, gap < 8 ? 0.025 : 0.01)
          << gap << " " << k;
    }
  }
}

TEST(GreyVoxels, OfSmallPermeabilitiesBesideEachOtherHaveTheirMean) {
  for (double const other : {1e-4, 1e-5, 1e-6}) {
    Geometry const layers = box_of({8, 3, 3}, [](Int3 at) { return at.x < 4 ? 2 : 3; });
    EXPECT_NEAR(permeability(layers, {1e-4, other}, Axis::z, 1e-6) / (0.5 * (1e-4 + other)), 1,
                5e-3)
        << other;
  }
}

TEST(GreyVoxels, AreThoseOfPlainSteps) {
  std::mt19937 random(5);
  for (std::vector<double> const& grey : {std::vector<double>{0.3, 5.0}, {0.05, 0.5}}) {
    Geometry const rock = box_of({6, 5, 7}, [&](Int3) {
      return std::array{0, 1, 1, 2, 3}[random() % 5];
    });
    double const stepped = by_steps(rock, grey, Axis::x, 1500);
    EXPECT_NEAR(permeability(rock, grey, Axis::x, 1e-7) / stepped, 1, 1e-6);
  }
}

/// u along y of a force of 1, nu u'' - nu u / k + 1 = 0 in the grey layers: k and a cosh.
TEST(GreyVoxels, BesideAChannelAreThoseOfBrinkmansEquation) {
  struct Case {
    int open, grey;
    double k;
  };
  for (Case const c : {Case{8, 8, 0.1}, Case{8, 16, 4}, Case{16, 32, 16}}) {
    Geometry const layers =
        box_of({c.open + c.grey, 3, 3}, [&](Int3 at) { return at.x < c.open ? 1 : 2; });
    double const width = std::sqrt(c.k);
    double const h = c.open / 2.0;
    double const p = c.grey / 2.0;
    double const slope = h * width / std::sinh(p / width);  // equal stresses where they meet
    double const meets = c.k + slope * std::cosh(p / width);
    double const flux = 2 * ((meets + h * h / 2) * h - h * h * h / 6 + c.k * p +
                             slope * width * std::sinh(p / width));
    double const exact = flux / (c.open + c.grey);
    EXPECT_NEAR(permeability(layers, {c.k}, Axis::y, 1e-6) / exact, 1, 5e-3) << c.k;
  }
}

TEST(GreyVoxels, BetweenPlatesAreThoseOfBrinkmansEquation) {
  constexpr int gap = 16;
  Geometry const plates = box_of({gap + 1, 3, 3}, [](Int3 at) { return at.x < gap ? 2 : 0; });
  for (double const k : {1.0, 10.0, 100.0}) {
    double const width = std::sqrt(k);
    double const flux = k * gap - 2 * k * width * std::tanh(gap / 2.0 / width);
    EXPECT_NEAR(permeability(plates, {k}, Axis::z, 1e-6) / (flux / (gap + 1)), 1, 5e-3) << k;
  }
}

/// In a box that is nearly empty the flow as a whole is slow to settle.
TEST(GreyVoxels, OfWhichHardlyAnyResistHaveAnHonestEstimate) {
  constexpr std::int64_t edge = 24;
  Geometry const box = box_of({edge, edge, edge}, [](Int3 at) {
    auto const off = [](std::int64_t x) { return static_cast<double>(x) + 0.5 - edge / 2.0; };
    double const square = off(at.x) * off(at.x) + off(at.y) * off(at.y) + off(at.z) * off(at.z);
    return square < 2.4 * 2.4 ? 2 : 1;
  });
  StokesOptions options;
  options.grey = {256};
  auto const solved = [&](double tolerance) {
    return solve(*make_stokes_space(box, options)->solver(Axis::x), tolerance, 2000);
  };
  double const exact = solved(1e-7).confirmation.quadratic;
  for (double const tolerance : {1e-2, 1e-3}) {
    StokesResult const found = solved(tolerance);
    EXPECT_TRUE(found.confirmed);
    double const error = std::abs(found.confirmation.quadratic / exact - 1);
    EXPECT_LE(error, found.estimate.error_estimate) << tolerance;
    EXPECT_LE(error, tolerance);
  }
}

TEST(GreyVoxels, LieBetweenSolidAndOpenPores) {
  std::mt19937 random(9);
  std::vector<int> kinds(125);
  for (int& kind : kinds) kind = std::array{0, 1, 1, 1, 2}[random() % 5];
  auto const rock = [&](int grey) {
    return box_of({20, 20, 20}, [&](Int3 at) {
      int const kind = kinds[linear_index({5, 5, 5}, {at.x / 4, at.y / 4, at.z / 4})];
      return kind == 2 ? grey : kind;
    });
  };
  double const closed = permeability(rock(0), {}, Axis::x, 1e-6);
  double const open = permeability(rock(1), {}, Axis::x, 1e-6);
  EXPECT_NEAR(permeability(rock(2), {1e-6}, Axis::x, 1e-6) / closed, 1, 1e-4);
  EXPECT_NEAR(permeability(rock(2), {1e6}, Axis::x, 1e-6) / open, 1, 1e-4);
  double before = closed;
  for (double const k : {1e-3, 1e-2, 1e-1, 1.0, 10.0}) {
    double const now = permeability(rock(2), {k}, Axis::x, 1e-5);
    EXPECT_GT(now, before) << k;
    before = now;
  }
  EXPECT_LT(before, open);
}

}  // namespace
}  // namespace tessera

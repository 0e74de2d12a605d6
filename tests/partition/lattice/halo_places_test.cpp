// SPDX-License-Identifier: MIT
#include "partition/lattice/halo_places.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>
#include <vector>

#include "models/lattice/lattice_kind.hpp"
#include "partition/lattice/block_grid.hpp"

namespace tessera {
namespace {

/// Directions that enter a tile through the faces and edges of its blocks.
std::vector<std::uint32_t> ways_in(LatticeKind lattice) {
  Velocities const velocities = velocities_of(lattice);
  std::set<std::uint32_t> ways;
  for (Int3 const d : block_directions()) {
    std::uint32_t directions = 0;
    for (int q = 1; q < velocities.size; ++q)
      if (crosses(velocities.c[static_cast<std::size_t>(q)], d)) directions |= 1U << q;
    if (directions != 0) ways.insert(directions);
  }
  return {ways.begin(), ways.end()};
}

struct Filled {
  std::size_t values = 0;
  HaloPlaces places;
};

/// Rows of random lengths, way after way, as a tile has them; checks that none share a place.
Filled fill(LatticeKind lattice, int rows_each, std::uint32_t longest) {
  std::mt19937 random(3);
  std::uniform_int_distribution<std::uint32_t> length(1, longest);
  Filled filled;
  std::set<std::uint32_t> taken;
  for (std::uint32_t const directions : ways_in(lattice)) {
    for (int row = 0; row < rows_each; ++row) {
      std::uint32_t const nodes = length(random);
      std::uint32_t const place = filled.places.add(directions, nodes);
      for (std::uint32_t left = directions; left != 0; left &= left - 1) {
        auto const q = static_cast<std::uint32_t>(std::countr_zero(left));
        for (std::uint32_t i = 0; i < nodes; ++i) {
          std::uint32_t const at = place + (q - 1) * halo_stride + i;
          EXPECT_TRUE(taken.insert(at).second) << "a place is given twice";
          EXPECT_LT(at, filled.places.values());
        }
      }
    }
  }
  filled.values = taken.size();
  return filled;
}

TEST(HaloPlaces, NoTwoRowsShareAPlace) {
  for (LatticeKind const lattice : {LatticeKind::d2q9, LatticeKind::d3q19, LatticeKind::d3q27}) {
    for (std::uint32_t const longest : {1U, 7U, 32U}) fill(lattice, 40, longest);
  }
}

TEST(HaloPlaces, HaveFewGaps) {
  for (std::uint32_t const longest : {1U, 10U}) {
    Filled const filled = fill(LatticeKind::d3q19, 2000, longest);
    EXPECT_GT(static_cast<double>(filled.values), 0.6 * filled.places.values()) << longest;
  }
}

TEST(HaloPlaces, RowsThatComeOneAfterTheOtherStandSideBySide) {
  HaloPlaces places;
  std::uint32_t const way = ways_in(LatticeKind::d3q19).front();
  EXPECT_EQ(places.add(way, 5), 0U);
  EXPECT_EQ(places.add(way, 3), 5U);
  EXPECT_EQ(places.add(way, 24), 8U);
}

TEST(HaloPlaces, TakeRowsOfAllPopulations) {
  HaloPlaces places;
  std::uint32_t const all = (1U << 19) - 2;
  EXPECT_EQ(places.add(all, 32), 0U);
  EXPECT_EQ(places.values(), 18 * 32U);
  EXPECT_EQ(places.add(all, 1), 18 * halo_stride);
}

}  // namespace
}  // namespace tessera

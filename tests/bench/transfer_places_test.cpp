// SPDX-License-Identifier: MIT
#include "bench/literature/lattice/transfer_places.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

TEST(TransferPlaces, KeepShiftedArraysApartAndInside) {
  for (std::size_t const nodes : {1U, 63U, 64U, 65U, 4096U}) {
    TransferPlaces const places(nodes);
    auto const last = static_cast<std::int64_t>(nodes);
    std::set<std::size_t> taken;
    for (int q = 0; q < D3Q19::size; ++q) {
      EXPECT_EQ(places.at(q, 0) % TransferPlaces::room, 0U);
      for (std::int64_t k = -1; k <= last; ++k) {
        EXPECT_LT(places.at(q, k), places.size());
        EXPECT_TRUE(taken.insert(places.at(q, k)).second) << nodes << ' ' << q << ' ' << k;
      }
    }
  }
}

TEST(TransferPlaces, ShiftAsTheLatticeTravels) {
  int shifted = 0;
  for (int q = 0; q < D3Q19::size; ++q) {
    EXPECT_EQ(offset_of(Shift::none, q), 0);
    EXPECT_EQ(offset_of(Shift::one, q), 1);
    EXPECT_EQ(offset_of(Shift::lattice, q), D3Q19::x(q));
    if (offset_of(Shift::lattice, q) != 0) ++shifted;
  }
  EXPECT_EQ(shifted, 10);
}

TEST(TransferPlaces, AreFilledSoThatAWrongPlaceShows) {
  TransferPlaces const places(384UL * 384 * 384);
  for (std::int64_t const k : {0, 1, 127, 5000, 8191, 8192, 56000000}) {
    for (int q = 0; q < D3Q19::size; ++q) {
      auto const own = places.at(q, k);
      for (std::int64_t const beside : {-2, -1, 1, 2}) {
        EXPECT_NE(transfer_pattern<float>(own), transfer_pattern<float>(places.at(q, k + beside)));
        EXPECT_NE(transfer_pattern<std::uint16_t>(own),
                  transfer_pattern<std::uint16_t>(places.at(q, k + beside)));
      }
      for (int other = 0; other < q; ++other)
        EXPECT_NE(transfer_pattern<std::uint16_t>(own),
                  transfer_pattern<std::uint16_t>(places.at(other, k)));
    }
  }
}

}  // namespace
}  // namespace tessera

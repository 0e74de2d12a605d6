// SPDX-License-Identifier: MIT
#include "run/plan/sweeps.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tessera {
namespace {

TEST(Sweeps, HaveTwoSlabsOnTheirWay) {
  EXPECT_EQ(most_steps(0), 0);
  EXPECT_EQ(most_steps(2), 0);
  EXPECT_EQ(most_steps(3), 1);
  EXPECT_EQ(most_steps(18), 16);
}

/// What stays and the second lattices are left out of the rooms, and more memory never means fewer.
TEST(Sweeps, HaveRoomsForWhatIsLeft) {
  SlabBytes const slabs{.lattice = 100, .moved = 90, .always = 500};
  EXPECT_LT(rooms_in(0, slabs), 1);
  EXPECT_LT(rooms_in(500, slabs), 1);
  std::int32_t before = rooms_in(0, slabs);
  for (std::int64_t bytes = 600; bytes < 20'000; bytes += 50) {
    std::int32_t const now = rooms_in(bytes, slabs);
    EXPECT_GE(now, before) << bytes;
    EXPECT_LE(slabs.always + now * slabs.lattice, bytes) << bytes;
    before = now;
  }
  // 195 slabs fit into 98 % of 20 000 bytes, 7 of them are second lattices.
  EXPECT_EQ(rooms_in(20'000, slabs), (19'600 - 500) / 100 - 7);
}

TEST(Sweeps, TakeBytesByThePrecision) {
  std::int64_t const nodes = 1'000'000;
  std::int64_t const half = bytes_on_gpus(nodes, Precision::half_storage);
  std::int64_t const single = bytes_on_gpus(nodes, Precision::single_precision);
  std::int64_t const full = bytes_on_gpus(nodes, Precision::double_precision);
  EXPECT_LT(half, single);
  EXPECT_LT(single, full);
  EXPECT_GE(single, nodes * 19 * 4);  // one lattice at least
  EXPECT_LT(bytes_on_gpus(nodes, Precision::single_precision, LatticeKind::d2q9), single);
}

}  // namespace
}  // namespace tessera

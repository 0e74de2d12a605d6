// SPDX-License-Identifier: MIT
// What several processes find together, beside what one finds by itself.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "base/ranks/ranks.hpp"

namespace tessera::test {

/// All ranks: numbers are equal, and the own voxels and fields are, bit by bit, their part of those
/// that one process finds, rank after rank.
template <class Found>
void expect_own_part(Found const& together, Found const& alone) {
  EXPECT_EQ(together.numbers, alone.numbers);
  auto const own = static_cast<std::int64_t>(together.voxels.size());
  auto const of_all = Ranks::all_gather(own);
  auto const first =
      std::accumulate(of_all.begin(), of_all.begin() + Ranks::rank(), std::int64_t{0});
  ASSERT_LE(first + own, static_cast<std::int64_t>(alone.voxels.size()));
  EXPECT_TRUE(
      std::equal(together.voxels.begin(), together.voxels.end(), alone.voxels.begin() + first));
  EXPECT_TRUE(
      std::equal(together.fields.begin(), together.fields.end(), alone.fields.begin() + first));
}

}  // namespace tessera::test

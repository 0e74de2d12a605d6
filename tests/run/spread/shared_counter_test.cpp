// SPDX-License-Identifier: MIT
#include "base/ranks/shared_counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

/// How often each of the numbers was taken, on any rank.
std::vector<std::int64_t> taken(std::int64_t count, std::int64_t most_here) {
  std::vector<std::int64_t> times(static_cast<std::size_t>(count));
  {
    SharedCounter counter(count);
    for (std::int64_t taken_here = 0; taken_here < most_here; ++taken_here) {
      auto const number = counter.take();
      if (!number) break;
      ++times.at(static_cast<std::size_t>(*number));
    }
  }
  Ranks::sum(times);
  return times;
}

TEST(SharedCounter, GivesEachNumberOnce) {
  EXPECT_EQ(taken(1000, 1000), std::vector<std::int64_t>(1000, 1));
  EXPECT_EQ(taken(1, 10), std::vector<std::int64_t>(1, 1));
  EXPECT_TRUE(taken(0, 10).empty());
}

TEST(SharedCounter, EndsWhereSomeStopEarly) {
  std::int64_t const last = Ranks::count() - 1;
  for (std::int64_t const early : {std::int64_t{0}, last}) {
    auto const times = taken(50, Ranks::rank() == early ? 3 : 50);
    EXPECT_LE(std::ranges::max(times), 1);
  }
}

}  // namespace
}  // namespace tessera

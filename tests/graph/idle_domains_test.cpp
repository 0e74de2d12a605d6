// SPDX-License-Identifier: MIT
// Domains that have lost all their tiles get another chance.
#include "graph/balance/idle_domains.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

std::vector<TileLoad> all_in(std::int32_t domain) { return {{1e6, 76'000'000, domain, {}}}; }
std::vector<TileLoad> in_both() { return {{1e6, 76'000'000, 0, {}}, {1e6, 76'000'000, 1, {}}}; }

TEST(IdleDomains, AreCreditedWithTheirBestSpeedNowAndThen) {
  IdleDomains idle;
  std::vector<DomainSpeed> speeds{{20e9, 1}, {18e9, 1}};
  ASSERT_TRUE(idle.complete(speeds, in_both(), 0));
  EXPECT_EQ(speeds[1].work_per_second, 18e9);
  std::vector<double> tries;
  for (double now = 1; now < 60; now += 0.5) {
    speeds = {{20e9, 1}, {0, 1}};
    ASSERT_TRUE(idle.complete(speeds, all_in(0), now));
    if (speeds[1].work_per_second > 0) {
      EXPECT_EQ(speeds[1].work_per_second, 18e9);
      tries.push_back(now);
    }
  }
  EXPECT_EQ(tries, (std::vector<double>{6, 16, 36}));
}

TEST(IdleDomains, OfNoKnownSpeedStayOut) {
  IdleDomains idle;
  for (double const now : {0.0, 100.0}) {
    std::vector<DomainSpeed> speeds{{20e9, 1}, {0, 12}};
    ASSERT_TRUE(idle.complete(speeds, all_in(0), now));
    EXPECT_EQ(speeds[1].work_per_second, 0);
  }
}

TEST(IdleDomains, AreNotThoseThatHaveTilesAndWereNotMeasured) {
  IdleDomains idle;
  std::vector<DomainSpeed> speeds{{20e9, 1}, {0, 1}};
  EXPECT_FALSE(idle.complete(speeds, in_both(), 0));
}

}  // namespace
}  // namespace tessera

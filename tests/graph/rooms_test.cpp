// SPDX-License-Identifier: MIT
// Exchanges keep as many tiles in memory as there are rooms, those that are needed.
#include "graph/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace tessera {
namespace {

/// `domains` tiles a level: tile t lies at level t / domains, in domain t % domains.
TileLevels levels_of(std::int32_t levels, std::int32_t domains, bool ring) {
  TileLevels result{.count = levels, .of_tile = {}, .ring = ring};
  for (std::int32_t t = 0; t < levels * domains; ++t) result.of_tile.push_back(t / domains);
  return result;
}

std::vector<std::int32_t> domains_of(std::int32_t tiles, std::int32_t domains) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(tiles));
  for (std::int32_t t = 0; t < tiles; ++t) result[static_cast<std::size_t>(t)] = t % domains;
  return result;
}

std::size_t count(std::vector<std::vector<Swap>> const& swaps) {
  std::size_t sum = 0;
  for (auto const& wave : swaps) sum += wave.size();
  return sum;
}

TEST(Rooms, EveryStepFindsItsTileThere) {
  for (bool const ring : {false, true}) {
    for (std::int32_t const domains : {1, 3}) {
      constexpr std::int32_t levels = 40, rooms = 18;
      SCOPED_TRACE((ring ? "ring, " : "chain, ") + std::to_string(domains) + " domains");
      StepOrder order = StepOrder::in_levels(levels_of(levels, domains, ring));
      auto const domain = domains_of(levels * domains, domains);
      auto const first = first_in(StepOrder(order).next_sweep(1), rooms, domain);
      std::set<std::int32_t> there;
      for (std::int32_t t = 0; t < levels * domains; ++t) {
        if (first[static_cast<std::size_t>(t)]) there.insert(t);
      }
      EXPECT_EQ(there.size(), static_cast<std::size_t>(rooms * domains));
      // Sweeps of different lengths follow each other, as measurements cut them.
      for (std::int32_t const k : {16, 16, 1, 5, 16, 1, 1, 7, 16}) {
        Sweep const sweep = order.next_sweep(k);
        auto const swaps = swaps_of(sweep, rooms, domain);
        for (std::size_t w = 0; w < sweep.waves.size(); ++w) {
          for (TileStep const& step : sweep.waves[w])
            ASSERT_TRUE(there.contains(step.tile)) << "tile " << step.tile << ", wave " << w;
          for (auto const& [leaves, comes] : swaps[w]) {
            EXPECT_EQ(domain[static_cast<std::size_t>(leaves.tile)],
                      domain[static_cast<std::size_t>(comes.tile)]);
            EXPECT_GT(comes.wave, static_cast<std::int32_t>(w)) << "there is time for it";
            EXPECT_EQ(there.erase(leaves.tile), 1U);
            EXPECT_TRUE(there.insert(comes.tile).second);
          }
        }
        std::int32_t const visits = ring ? levels + k - 1 : levels;
        EXPECT_EQ(count(swaps), static_cast<std::size_t>((visits - rooms) * domains));
      }
    }
  }
}

TEST(Rooms, ThereAreNoExchangesWhereAllFitOrNoneIsAskedFor) {
  StepOrder const order = StepOrder::in_levels(levels_of(20, 1, false));
  auto const domain = domains_of(20, 1);
  for (std::int32_t const rooms : {0, 20, 50})
    EXPECT_EQ(count(swaps_of(StepOrder(order).next_sweep(4), rooms, domain)), 0U) << rooms;
  EXPECT_EQ(std::ranges::count(first_in(StepOrder(order).next_sweep(1), 50, domain), true), 20);
}

TEST(Rooms, ATileThatIsStillInUseDoesNotMakeRoom) {
  StepOrder order = StepOrder::in_levels(levels_of(20, 1, false));
  EXPECT_EQ(count(swaps_of(order.next_sweep(9), 8, domains_of(20, 1))), 0U) << "9 are in use";
  EXPECT_EQ(count(swaps_of(order.next_sweep(8), 8, domains_of(20, 1))), 12U);
}

}  // namespace
}  // namespace tessera

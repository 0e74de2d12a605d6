// SPDX-License-Identifier: MIT
// What several processes decide by the numbers of all, as arithmetic.
#include "graph/balance/rank_meeting.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tessera {
namespace {

TEST(RankMeeting, IsAFifthOfASecondAwayAndAMultipleOfTwentySteps) {
  EXPECT_EQ(steps_until_meeting(20, 20, 0.02), 200);
  EXPECT_EQ(steps_until_meeting(20, 20, 0.021), 200);
  EXPECT_EQ(steps_until_meeting(20, 100, 1.0), 20);
  EXPECT_EQ(steps_until_meeting(20, 20, 0.16), 40) << "25 are not enough";
}

TEST(RankMeeting, IsNeitherNeverNorAlways) {
  EXPECT_EQ(steps_until_meeting(20, 20, 1000.0), 20);
  EXPECT_EQ(steps_until_meeting(20, 20, 0.0), 1000);
}

TEST(RankMeeting, SharesAreThoseOfRanksAndInEachOfItsDomains) {
  std::vector<DomainLoad> loads(5);
  std::vector<std::int32_t> const ranks{0, 0, 1, 2, 2};
  for (std::size_t d = 0; d < loads.size(); ++d) loads[d].rank = ranks[d];
  std::vector<double> const shares{0.1, 0.3, 0.2, 0.1, 0.3};
  NewShares const of_last = shares_by_rank(shares, loads, 2, 3);
  ASSERT_EQ(of_last.of_ranks.size(), 3U);
  EXPECT_NEAR(of_last.of_ranks[0], 0.4, 1e-12);
  EXPECT_NEAR(of_last.of_ranks[1], 0.2, 1e-12);
  EXPECT_NEAR(of_last.of_ranks[2], 0.4, 1e-12);
  ASSERT_EQ(of_last.of_domains.size(), 2U);
  EXPECT_NEAR(of_last.of_domains[0], 0.25, 1e-12);
  EXPECT_NEAR(of_last.of_domains[1], 0.75, 1e-12);
  EXPECT_EQ(shares_by_rank(shares, loads, 1, 3).of_domains, std::vector<double>{1});
}

TEST(RankMeeting, AProcessThatIsAloneHasAllWhateverTheRounding) {
  std::vector<DomainLoad> const loads(10);
  std::vector<double> const tenths(10, 0.1);
  EXPECT_NE(std::accumulate(tenths.begin(), tenths.end(), 0.0), 1.0);
  EXPECT_EQ(shares_by_rank(tenths, loads, 0, 1).of_ranks, std::vector<double>{1});
}

TEST(RankMeeting, OfOneProcessFindsWhatItHasFound) {
  RankMeeting meeting;
  meeting.begin_at(40);
  EXPECT_FALSE(meeting.due(59));
  EXPECT_TRUE(meeting.due(60));
  std::vector<TileLoad> const tiles{{3e6, 10, 0, {}}, {1e6, 10, 1, {}}};
  auto const loads = domain_loads(tiles, {{1e9}, {1e9}});
  BalanceFindings const found =
      meeting.findings_of_all(60, {.moves = {{0, 1}}, .loads = loads, .moved = loads});
  ASSERT_EQ(found.loads.size(), 2U);
  EXPECT_EQ(found.loads[0].work, 3e6);
  EXPECT_EQ(found.loads[1].rank, 0);
  EXPECT_EQ(found.moves.size(), 1U);
  EXPECT_FALSE(meeting.due(79));
  EXPECT_TRUE(meeting.findings_of_all(80, {}).loads.empty()) << "somebody knows nothing yet";
}

}  // namespace
}  // namespace tessera

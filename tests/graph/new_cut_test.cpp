// SPDX-License-Identifier: MIT
// When to cut anew, as arithmetic.
#include "graph/balance/new_cut.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

/// Tiles of each domain, all with the same work.
std::vector<TileLoad> tiles_of(std::vector<int> const& counts, std::vector<double> const& work) {
  std::vector<TileLoad> tiles;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    for (int i = 0; i < counts[d]; ++i)
      tiles.push_back(
          {work[d], static_cast<std::size_t>(76 * work[d]), static_cast<std::int32_t>(d), {}});
  }
  return tiles;
}

constexpr double young = 0;  // steps

/// A GPU of 20 GFLUPS, and cores that were taken to be three times as fast as they are; no tile of
/// the cores' is worth a GPU's task.
std::vector<DomainSpeed> const measured_speeds{{20e9, 1, 50e-6}, {0.5e9, 10}};
std::vector<DomainLoad> loads(std::vector<int> const& counts, std::vector<double> const& work,
                              std::vector<DomainSpeed> const& by = measured_speeds) {
  return domain_loads(tiles_of(counts, work), by);
}
std::vector<DomainLoad> slow_cores(std::vector<DomainSpeed> const& by = measured_speeds) {
  return loads({16, 40}, {12e6, 0.36e6}, by);
}

TEST(NewCut, TheIdealStepIsThatOfAllSpeedsTogether) {
  EXPECT_NEAR(ideal_step_seconds(slow_cores()), 206.4e6 / 20.5e9, 1e-9);
}

TEST(NewCut, ShortTasksSetALimitToTheIdeal) {
  EXPECT_NEAR(ideal_step_seconds(loads({100, 1}, {1e5, 1e5})), 100 * 50e-6, 1e-9);
}

TEST(NewCut, IsWorthMuchThatIsLeftToGain) {
  EXPECT_TRUE(worth_cutting_anew(slow_cores(), 0.5, young));
}

TEST(NewCut, IsNotWorthAFewPercent) {
  // 20 % of the work of 0.5 / 20.5 more than their share.
  EXPECT_FALSE(worth_cutting_anew(loads({16, 40}, {12e6, 0.123e6}), 0, young));
}

TEST(NewCut, MustBeRepaidWithinAsManyStepsAsThereWere) {
  // A step takes 28.8 ms instead of 10.1: 500 steps gain 9.4 s.
  EXPECT_TRUE(worth_cutting_anew(slow_cores(), 9, young));
  EXPECT_FALSE(worth_cutting_anew(slow_cores(), 10, young));
  EXPECT_TRUE(worth_cutting_anew(slow_cores(), 10, 1000));
  EXPECT_FALSE(worth_cutting_anew(slow_cores(), 100, 1000));
}

TEST(NewCut, IsNotMadeForADomainThatNobodyHasMeasured) {
  EXPECT_FALSE(worth_cutting_anew(slow_cores({{20e9, 1, 50e-6}, {0, 10}}), 0, young));
}

TEST(NewCut, IsAskedForAfterSeveralLooksInARow) {
  NewCutWatch watch({.looks = 3});
  std::vector<DomainLoad> const balanced = loads({16, 40}, {12e6, 0.12e6});
  EXPECT_TRUE(watch.look(10000, slow_cores()).empty());
  EXPECT_TRUE(watch.look(20000, slow_cores()).empty());
  EXPECT_TRUE(watch.look(30000, balanced).empty()) << "that was a mistake, then";
  EXPECT_TRUE(watch.look(40000, slow_cores()).empty());
  EXPECT_TRUE(watch.look(50000, slow_cores()).empty());
  std::vector<double> const shares = watch.look(60000, slow_cores());
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_NEAR(shares[0], 20 / 20.5, 1e-12);
  EXPECT_NEAR(shares[1], 0.5 / 20.5, 1e-12);
}

TEST(NewCut, SharesAreMeansOfTheLooks) {
  NewCutWatch watch({.looks = 2});
  EXPECT_TRUE(watch.look(10000, slow_cores({{20e9, 1}, {0.4e9, 10}})).empty());
  std::vector<double> const shares = watch.look(20000, slow_cores({{20e9, 1}, {0.6e9, 10}}));
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_NEAR(shares[1], 0.5 * (0.4 / 20.4 + 0.6 / 20.6), 1e-12);
  EXPECT_NEAR(shares[0] + shares[1], 1, 1e-12);
}

TEST(NewCut, GetsHarderWithEachCut) {
  NewCutWatch watch({.looks = 1});
  EXPECT_FALSE(watch.look(10000, slow_cores()).empty());
  watch.note_cut(0.1);
  EXPECT_TRUE(watch.look(20000, slow_cores()).empty());
  EXPECT_FALSE(watch.look(30000, slow_cores()).empty());
}

TEST(NewCut, CostsWhatTheLastOneHasTaken) {
  NewCutWatch watch({.lattice_bytes_per_s = 2e9});
  EXPECT_EQ(watch.cut_seconds(6e9), 3);
  watch.note_cut(0.7);
  EXPECT_EQ(watch.cut_seconds(6e9), 0.7);
}

TEST(NewCut, CostsWhatTheProcessWithMostTakes) {
  // A step of 30 instead of 20 ms: 500 steps gain 5 s.
  std::vector<DomainLoad> of_two = loads({1, 1}, {3e8, 1e8}, {{1e10}, {1e10}});
  for (DomainLoad& load : of_two) load.bytes = 4e9;
  EXPECT_TRUE(NewCutWatch({.looks = 1}).look(0, of_two).empty()) << "8 s by one of them";
  of_two[1].rank = 1;
  EXPECT_FALSE(NewCutWatch({.looks = 1}).look(0, of_two).empty()) << "4 s each, at the same time";
}

TEST(NewCut, TakesACopyOfTheStateOnCoresAndTwoBesideGpus) {
  EXPECT_EQ(bytes_for_cut(10, 10, 10), 10);
  EXPECT_EQ(bytes_for_cut(10, 10, 0), 20);
  EXPECT_EQ(bytes_for_cut(10, 10, 4), 16);
}

TEST(NewCut, TakesMoreWhereMoreComesFromOtherProcesses) {
  EXPECT_EQ(bytes_for_cut(10, 15, 10), 20) << "both copies of the new part, less the old tiles";
  EXPECT_EQ(bytes_for_cut(10, 5, 10), 10) << "the copy of the old part";
}

}  // namespace
}  // namespace tessera

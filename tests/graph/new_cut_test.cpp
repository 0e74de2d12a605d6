// SPDX-License-Identifier: MIT
// When to cut anew, as arithmetic.
#include "graph/new_cut.hpp"

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
std::vector<DomainSpeed> const speeds{{20e9, 1, 50e-6}, {0.5e9, 10}};
std::vector<TileLoad> slow_cores() { return tiles_of({16, 40}, {12e6, 0.36e6}); }

TEST(NewCut, TheIdealStepIsThatOfAllSpeedsTogether) {
  EXPECT_NEAR(ideal_step_seconds(slow_cores(), speeds), 206.4e6 / 20.5e9, 1e-9);
}

TEST(NewCut, ShortTasksSetALimitToTheIdeal) {
  EXPECT_NEAR(ideal_step_seconds(tiles_of({100, 1}, {1e5, 1e5}), speeds), 100 * 50e-6, 1e-9);
}

TEST(NewCut, IsWorthMuchThatIsLeftToGain) {
  EXPECT_TRUE(worth_cutting_anew(slow_cores(), speeds, 0.5, young));
}

TEST(NewCut, IsNotWorthAFewPercent) {
  // 20 % of the work of 0.5 / 20.5 more than their share.
  EXPECT_FALSE(worth_cutting_anew(tiles_of({16, 40}, {12e6, 0.123e6}), speeds, 0, young));
}

TEST(NewCut, MustBeRepaidWithinAsManyStepsAsThereWere) {
  // A step takes 28.8 ms instead of 10.1: 500 steps gain 9.4 s.
  EXPECT_TRUE(worth_cutting_anew(slow_cores(), speeds, 9, young));
  EXPECT_FALSE(worth_cutting_anew(slow_cores(), speeds, 10, young));
  EXPECT_TRUE(worth_cutting_anew(slow_cores(), speeds, 10, 1000));
  EXPECT_FALSE(worth_cutting_anew(slow_cores(), speeds, 100, 1000));
}

TEST(NewCut, IsNotMadeForADomainThatNobodyHasMeasured) {
  EXPECT_FALSE(worth_cutting_anew(slow_cores(), {{20e9, 1, 50e-6}, {0, 10}}, 0, young));
}

TEST(NewCut, IsAskedForAfterSeveralLooksInARow) {
  NewCutWatch watch({.looks = 3});
  std::vector<TileLoad> const balanced = tiles_of({16, 40}, {12e6, 0.12e6});
  EXPECT_TRUE(watch.look(10000, slow_cores(), speeds).empty());
  EXPECT_TRUE(watch.look(20000, slow_cores(), speeds).empty());
  EXPECT_TRUE(watch.look(30000, balanced, speeds).empty()) << "that was a mistake, then";
  EXPECT_TRUE(watch.look(40000, slow_cores(), speeds).empty());
  EXPECT_TRUE(watch.look(50000, slow_cores(), speeds).empty());
  std::vector<double> const shares = watch.look(60000, slow_cores(), speeds);
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_NEAR(shares[0], 20 / 20.5, 1e-12);
  EXPECT_NEAR(shares[1], 0.5 / 20.5, 1e-12);
}

TEST(NewCut, SharesAreMeansOfTheLooks) {
  NewCutWatch watch({.looks = 2});
  EXPECT_TRUE(watch.look(10000, slow_cores(), {{20e9, 1}, {0.4e9, 10}}).empty());
  std::vector<double> const shares = watch.look(20000, slow_cores(), {{20e9, 1}, {0.6e9, 10}});
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_NEAR(shares[1], 0.5 * (0.4 / 20.4 + 0.6 / 20.6), 1e-12);
  EXPECT_NEAR(shares[0] + shares[1], 1, 1e-12);
}

TEST(NewCut, GetsHarderWithEachCut) {
  NewCutWatch watch({.looks = 1});
  EXPECT_FALSE(watch.look(10000, slow_cores(), speeds).empty());
  watch.note_cut(0.1);
  EXPECT_TRUE(watch.look(20000, slow_cores(), speeds).empty());
  EXPECT_FALSE(watch.look(30000, slow_cores(), speeds).empty());
}

TEST(NewCut, CostsWhatTheLastOneHasTaken) {
  NewCutWatch watch({.lattice_bytes_per_s = 2e9});
  EXPECT_EQ(watch.cut_seconds(6e9), 3);
  watch.note_cut(0.7);
  EXPECT_EQ(watch.cut_seconds(6e9), 0.7);
}

}  // namespace
}  // namespace tessera

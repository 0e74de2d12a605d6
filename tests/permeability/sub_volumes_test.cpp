// SPDX-License-Identifier: MIT
#include "permeability/studies/sub_volumes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/errors.hpp"
#include "permeability/studies/rev_report.hpp"

namespace tessera {
namespace {

bool overlap(SubVolume const& a, SubVolume const& b) {
  return std::ranges::all_of(all_axes, [&](Axis axis) {
    return a.lower[axis] < b.lower[axis] + b.edge && b.lower[axis] < a.lower[axis] + a.edge;
  });
}

bool inside(SubVolume const& a, Int3 shape) {
  return std::ranges::all_of(all_axes, [&](Axis axis) {
    return a.lower[axis] >= 0 && a.lower[axis] + a.edge <= shape[axis];
  });
}

TEST(SubVolumes, DoNotOverlapWhereThereIsRoom) {
  Int3 const shape{100, 70, 65};
  auto const chosen = choose_sub_volumes(shape, 20, 45, 7);
  ASSERT_EQ(chosen.size(), 45U);  // 5 x 3 x 3: all there are
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    EXPECT_TRUE(inside(chosen[i], shape));
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(chosen[i], chosen[j]));
  }
  // The grid stands in the middle.
  auto const least = std::ranges::min(chosen, {}, [](SubVolume const& s) { return s.lower.y; });
  EXPECT_EQ(least.lower.y, 5);
}

TEST(SubVolumes, MoreThanThereIsRoomForOverlap) {
  Int3 const shape{50, 40, 40};
  auto const chosen = choose_sub_volumes(shape, 20, 30, 7);
  ASSERT_EQ(chosen.size(), 30U);
  std::set<std::int64_t> places;
  for (SubVolume const& s : chosen) {
    EXPECT_TRUE(inside(s, shape));
    places.insert(static_cast<std::int64_t>(linear_index(shape, s.lower)));
  }
  EXPECT_GT(places.size(), 25U);
}

TEST(SubVolumes, TheSeedChooses) {
  Int3 const shape{100, 100, 100};
  auto const places = [&](std::uint64_t seed) {
    std::vector<std::size_t> found;
    for (SubVolume const& s : choose_sub_volumes(shape, 20, 6, seed))
      found.push_back(linear_index(shape, s.lower));
    return found;
  };
  EXPECT_EQ(places(1), places(1));
  EXPECT_NE(places(1), places(2));
}

TEST(SubVolumes, OneIsAsLargeAsTheImage) {
  EXPECT_EQ(choose_sub_volumes({30, 30, 30}, 30, 20, 1).size(), 1U);
  EXPECT_THROW(choose_sub_volumes({30, 30, 29}, 30, 1, 1), BadInput);
}

TEST(SubVolumes, AreCutOutOfTheImage) {
  Geometry image{{6, 5, 4}, std::vector<std::uint8_t>(120, 0), {}};
  image.pore[linear_index(image.shape, {3, 2, 1})] = 1;
  Geometry const part = cut_out(image, {{2, 1, 1}, 3});
  EXPECT_EQ(part.shape, (Int3{3, 3, 3}));
  EXPECT_EQ(part.pore_voxels(), 1);
  EXPECT_TRUE(part.is_pore({1, 1, 0}));
}

SubVolumeAnswer answer(std::int64_t edge, double k, std::string failure = {}) {
  SubVolumeAnswer a;
  a.where.edge = edge;
  a.porosity = 0.1 * k;
  a.value = k;
  a.leads_through = k > 0;
  a.failure = std::move(failure);
  return a;
}

TEST(RevStatistics, AreOfTheAnswersOfAnEdge) {
  std::vector<SubVolumeAnswer> const answers{answer(20, 4), answer(10, 1),
                                             answer(10, 0), answer(10, 2),
                                             answer(10, 5), answer(10, 3, "it did not settle")};
  auto const found = statistics_of(answers);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].edge, 10);
  EXPECT_EQ(found[0].samples, 5);
  EXPECT_EQ(found[0].leading_through, 4);
  EXPECT_EQ(found[0].unanswered, 1);
  EXPECT_DOUBLE_EQ(found[0].mean, 2);
  EXPECT_DOUBLE_EQ(found[0].median, 1.5);
  EXPECT_DOUBLE_EQ(found[0].lower, 0.75);
  EXPECT_DOUBLE_EQ(found[0].upper, 2.75);
  EXPECT_NEAR(found[0].spread, 2.160246899469287 / 2, 1e-12);
  EXPECT_DOUBLE_EQ(found[1].median, 4);
  EXPECT_DOUBLE_EQ(found[1].spread, 0);
}

}  // namespace
}  // namespace tessera

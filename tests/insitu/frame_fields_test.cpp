// SPDX-License-Identifier: MIT
#include "insitu/frame_fields.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(FrameFields, ASecondFrameOverwritesFluidVoxelsAndLeavesSolidOnes) {
  FrameFields fields({3, 2, 1});
  fields.set({1, 0, 0}, {1, 2, 3}, 4, 5, 6);
  fields.set({1, 0, 0}, {3, 2, 1}, 7, 8, 9);  // the tiles have been cut anew
  ImageBlock const block = fields.block();
  EXPECT_EQ(block.velocity[3], 3);
  EXPECT_EQ(block.pressure[1], 7);
  EXPECT_EQ(block.density[1], 8);
  EXPECT_EQ(block.tile[1], 9);
  EXPECT_EQ(block.solid[1], 0);
  EXPECT_EQ(block.ghost[1], 0);
  EXPECT_EQ(block.tile[0], -1);
  EXPECT_EQ(block.solid[0], 1);
  EXPECT_EQ(block.ghost[0], hidden_cell);
  EXPECT_FALSE(block.ranges);
}

/// Two voxels, in a block of so many.
FieldRanges ranges_in(std::size_t voxels) {
  FieldExtremes extremes;
  extremes.note({3, -1, 4}, 2, 1.5);
  extremes.note({1, 0, 0}, 3, 0.5);
  return extremes.ranges(voxels);
}

TEST(FieldExtremes, RangesAreThoseOfTheValues) {
  FieldRanges const ranges = ranges_in(2);
  EXPECT_EQ(ranges.velocity[0], (ValueRange{1, 3}));
  EXPECT_EQ(ranges.velocity[1], (ValueRange{-1, 0}));
  EXPECT_EQ(ranges.velocity[2], (ValueRange{0, 4}));
  EXPECT_EQ(ranges.velocity[3], (ValueRange{1, std::sqrt(26.0)}));
  EXPECT_EQ(ranges.pressure[0], (ValueRange{2, 3}));
  EXPECT_EQ(ranges.density[0], (ValueRange{0.5, 1.5}));
}

TEST(FieldExtremes, SolidVoxelsHaveZeros) {
  FieldRanges const ranges = ranges_in(3);
  EXPECT_EQ(ranges.velocity[0], (ValueRange{0, 3}));
  EXPECT_EQ(ranges.velocity[3], (ValueRange{0, std::sqrt(26.0)}));
  EXPECT_EQ(ranges.pressure[0], (ValueRange{0, 3}));
  EXPECT_EQ(ranges.density[0], (ValueRange{0, 1.5}));
}

TEST(FieldExtremes, WithoutFluidAllIsZero) {
  FieldRanges const ranges = FieldExtremes().ranges(8);
  EXPECT_EQ(ranges.velocity[3], (ValueRange{0, 0}));
  EXPECT_EQ(ranges.density[0], (ValueRange{0, 0}));
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "geometry/flow_setup.hpp"

#include <gtest/gtest.h>

#include "tests/partition/lattice/random_geometry.hpp"

namespace tessera {
namespace {

Geometry image() { return test::random_geometry({7, 5, 6}, 0.5, 4, {}); }

/// Wraps along the flow only.
void expect_wrapped_along(FlowBox const& box, Axis axis) {
  for (Axis a : all_axes) EXPECT_EQ(box.geometry.periodic[index_of(a)], a == axis);
}

TEST(FlowSetup, PeriodicIsTheImageItself) {
  Geometry const given = image();
  for (Axis const axis : all_axes) {
    FlowBox const box = flow_box(given, axis, FlowSetup::periodic);
    EXPECT_EQ(box.geometry.shape, given.shape);
    EXPECT_EQ(box.geometry.pore, given.pore);
    EXPECT_EQ(box.geometry.periodic, (std::array{true, true, true}));
    EXPECT_EQ(box.sample_lower, (Int3{}));
    EXPECT_EQ(box.sample_upper, given.shape);
    EXPECT_EQ(box.sample_share, 1);
  }
}

TEST(FlowSetup, SealedPutsFluidBeforeAndBehindTheSample) {
  Geometry const given = image();
  for (Axis const axis : all_axes) {
    for (std::int64_t const layers : {0, 1, 4}) {
      FlowBox const box = flow_box(given, axis, FlowSetup::sealed, layers);
      expect_wrapped_along(box, axis);
      std::int64_t const length = given.shape[axis];
      Int3 shape = given.shape;
      shape[axis] += 2 * layers;
      ASSERT_EQ(box.geometry.shape, shape);
      test::for_each_voxel(shape, [&](Int3 at) {
        Int3 in_sample = at;
        in_sample[axis] -= layers;
        bool const buffer = in_sample[axis] < 0 || in_sample[axis] >= length;
        EXPECT_EQ(box.geometry.is_pore(at), buffer || given.is_pore(in_sample));
      });
      EXPECT_EQ(box.sample_upper - box.sample_lower, given.shape);
      EXPECT_EQ(box.sample_lower[axis], layers);
      EXPECT_DOUBLE_EQ(box.sample_share,
                       static_cast<double>(length) / static_cast<double>(length + 2 * layers));
    }
  }
}

TEST(FlowSetup, OfAPictureHasNothingInFrontAndBehind) {
  Geometry const picture = test::random_geometry({7, 5, 1}, 0.5, 4, {});
  for (FlowSetup const setup : {FlowSetup::sealed, FlowSetup::mirrored, FlowSetup::periodic}) {
    FlowBox const box = flow_box(picture, Axis::x, setup);
    EXPECT_TRUE(box.geometry.periodic[index_of(Axis::z)]);
    EXPECT_EQ(box.geometry.periodic[index_of(Axis::y)], setup == FlowSetup::periodic);
  }
}

TEST(FlowSetup, SealedHasFiveLayersUnlessToldOtherwise) {
  EXPECT_EQ(flow_box(image(), Axis::y, FlowSetup::sealed).geometry.shape, (Int3{7, 15, 6}));
}

TEST(FlowSetup, MirroredIsItsOwnMirrorImageAlongTheFlow) {
  Geometry const given = image();
  for (Axis const axis : all_axes) {
    FlowBox const box = flow_box(given, axis, FlowSetup::mirrored);
    expect_wrapped_along(box, axis);
    Int3 shape = given.shape;
    shape[axis] *= 2;
    ASSERT_EQ(box.geometry.shape, shape);
    test::for_each_voxel(shape, [&](Int3 at) {
      Int3 mirror = at;
      mirror[axis] = shape[axis] - 1 - at[axis];
      EXPECT_EQ(box.geometry.is_pore(at), box.geometry.is_pore(mirror));
      if (at[axis] < given.shape[axis]) {
        EXPECT_EQ(box.geometry.is_pore(at), given.is_pore(at));
      }
    });
    EXPECT_EQ(box.sample_lower, (Int3{}));
    EXPECT_EQ(box.sample_upper, shape);
    EXPECT_EQ(box.sample_share, 1);
  }
}

TEST(FlowSetup, AnImageThatWrapsDoesNotMakeTheSidesOfASealedBoxWrap) {
  Geometry given = image();
  given.periodic = {true, true, true};
  expect_wrapped_along(flow_box(given, Axis::z, FlowSetup::sealed), Axis::z);
  expect_wrapped_along(flow_box(given, Axis::z, FlowSetup::mirrored), Axis::z);
}

}  // namespace
}  // namespace tessera

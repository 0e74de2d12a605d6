// SPDX-License-Identifier: MIT
#include "geometry/connectivity.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

Geometry empty_box(Int3 shape) {
  return {shape, std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape)), 0), {}};
}
void open(Geometry& geometry, Int3 at) { geometry.pore[linear_index(geometry.shape, at)] = 1; }

TEST(Connectivity, GoesThroughEdgesButNotThroughCorners) {
  Geometry box = empty_box({4, 4, 4});
  open(box, {0, 0, 0});
  open(box, {1, 1, 0});  // through an edge
  open(box, {2, 2, 1});  // through a corner
  EXPECT_EQ(PoreComponents(box, Links::faces).count(), 3);
  EXPECT_EQ(PoreComponents(box, Links::faces_and_edges).count(), 2);
}

TEST(Connectivity, KnowsEveryOneOfTheEighteenDirections) {
  for (int k = 0; k < 27; ++k) {
    Int3 const d{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    std::int64_t const length = d.x * d.x + d.y * d.y + d.z * d.z;
    if (length == 0) continue;
    Geometry box = empty_box({3, 3, 3});
    open(box, {1, 1, 1});
    open(box, Int3{1, 1, 1} + d);
    EXPECT_EQ(PoreComponents(box, Links::faces).count(), length == 1 ? 1 : 2) << k;
    EXPECT_EQ(PoreComponents(box, Links::faces_and_edges).count(), length <= 2 ? 1 : 2) << k;
  }
}

TEST(Connectivity, WrapsInEveryDirectionWhereTheAxesDo) {
  for (int k = 0; k < 27; ++k) {
    Int3 const d{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    std::int64_t const length = d.x * d.x + d.y * d.y + d.z * d.z;
    if (length == 0 || length > 2) continue;
    Geometry box = empty_box({5, 5, 5});
    box.periodic = {true, true, true};
    Int3 const at{d.x > 0 ? 4 : 0, d.y > 0 ? 4 : 0, d.z > 0 ? 4 : 0};
    Int3 to = at + d;
    for (Axis a : all_axes) to[a] = (to[a] + 5) % 5;
    open(box, at);
    open(box, to);
    EXPECT_EQ(PoreComponents(box, Links::faces_and_edges).count(), 1) << k;
    box.periodic = {};
    EXPECT_EQ(PoreComponents(box, Links::faces_and_edges).count(), 2) << k;
  }
}

TEST(Connectivity, PercolationInAWrappedBoxMeansReachingTheOwnImage) {
  Geometry box = empty_box({4, 4, 4});
  box.periodic = {true, true, true};
  for (int x = 0; x < 4; ++x) open(box, {x, 0, 0});
  PoreComponents const channel(box, Links::faces);
  EXPECT_EQ(channel.percolating_voxels(Axis::x), 4);
  EXPECT_EQ(channel.percolating_voxels(Axis::y), 0);

  // Touches both faces, but at places that do not meet when the box wraps.
  Geometry staircase = empty_box({4, 4, 4});
  staircase.periodic = {true, true, true};
  for (Int3 at : {Int3{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}}) open(staircase, at);
  EXPECT_EQ(PoreComponents(staircase, Links::faces).percolating_voxels(Axis::x), 0);
  EXPECT_EQ(PoreComponents(staircase, Links::faces_and_edges).percolating_voxels(Axis::x), 5);
  staircase.periodic = {};
  EXPECT_EQ(PoreComponents(staircase, Links::faces).percolating_voxels(Axis::x), 5);
}

TEST(Connectivity, LeavesOutWhatDoesNotPercolate) {
  Geometry box = empty_box({4, 4, 4});
  for (int z = 0; z < 4; ++z) open(box, {1, 1, z});
  open(box, {3, 3, 3});
  PoreComponents const components(box, Links::faces_and_edges);
  Geometry kept = box;
  components.close_isolated(kept, Axis::z);
  EXPECT_EQ(kept.pore_voxels(), 4);
  EXPECT_FALSE(kept.is_pore({3, 3, 3}));
  EXPECT_TRUE(kept.is_pore({1, 1, 2}));
}

}  // namespace
}  // namespace tessera

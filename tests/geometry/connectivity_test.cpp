// SPDX-License-Identifier: MIT
#include "geometry/connectivity.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <random>
#include <vector>

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

/// Voxel by voxel, each taking the least number that it touches until none changes.
std::vector<std::int64_t> flooded(Geometry const& box) {
  std::vector<std::int64_t> least(box.pore.size(), -1);
  for (std::size_t i = 0; i < least.size(); ++i) {
    if (box.pore[i] != 0) least[i] = static_cast<std::int64_t>(i);
  }
  auto const beside = [&](std::int64_t at, std::int64_t by, std::size_t axis, std::int64_t extent) {
    auto const to = wrapped(at + by, extent, box.periodic[axis]);
    return to ? to->first : -1;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Int3 v{}; v.z < box.shape.z; ++v.z) {
      for (v.y = 0; v.y < box.shape.y; ++v.y) {
        for (v.x = 0; v.x < box.shape.x; ++v.x) {
          if (!box.is_pore(v)) continue;
          auto const own = static_cast<std::size_t>(linear_index(box.shape, v));
          for (int q = 0; q < 27; ++q) {
            Int3 const by{q % 3 - 1, q / 3 % 3 - 1, q / 9 - 1};
            if (std::abs(by.x) + std::abs(by.y) + std::abs(by.z) > 2) continue;  // D3Q19
            Int3 const to{beside(v.x, by.x, 0, box.shape.x), beside(v.y, by.y, 1, box.shape.y),
                          beside(v.z, by.z, 2, box.shape.z)};
            if (to.x < 0 || to.y < 0 || to.z < 0 || !box.is_pore(to)) continue;
            auto const other = static_cast<std::size_t>(linear_index(box.shape, to));
            if (least[other] >= least[own]) continue;
            least[own] = least[other];
            changed = true;
          }
        }
      }
    }
  }
  return least;
}

TEST(Connectivity, HasTheComponentsThatAFloodFinds) {
  std::mt19937 random(7);
  for (bool const periodic : {false, true}) {
    for (double const porosity : {0.15, 0.22, 0.35}) {
      // Threads unite its three slabs side by side; the last one is thin.
      Geometry box = empty_box({11, 9, 35});
      box.periodic = {periodic, periodic, periodic};
      for (std::uint8_t& voxel : box.pore)
        voxel = static_cast<double>(random()) < porosity * 0x1p32 ? 1 : 0;
      PoreComponents const components(box, Links::faces_and_edges);
      std::vector<std::int64_t> const least = flooded(box);
      std::map<std::int64_t, std::int64_t> voxels;
      for (std::int64_t const number : least) {
        if (number >= 0) ++voxels[number];
      }
      ASSERT_EQ(components.count(), static_cast<std::int64_t>(voxels.size()));
      std::int32_t c = 0;  // in the order of their first voxels
      for (auto const& [first, count] : voxels) EXPECT_EQ(components.component(c++).voxels, count);
      for (auto const* const layer : {&components.first_layer(), &components.last_layer()}) {
        std::int64_t const z = layer == &components.first_layer() ? 0 : box.shape.z - 1;
        for (PoreComponents::OuterRun const& run : *layer) {
          Int3 const at{run.run.begin, run.y, z};
          auto const number = least[static_cast<std::size_t>(linear_index(box.shape, at))];
          EXPECT_EQ(run.component, std::distance(voxels.begin(), voxels.find(number)));
        }
      }
    }
  }
}

TEST(Connectivity, HasNoComponentsWithoutLayers) {
  PoreComponents const components(empty_box({3, 4, 0}), Links::faces_and_edges);
  EXPECT_EQ(components.count(), 0);
  EXPECT_TRUE(components.first_layer().empty() && components.last_layer().empty());
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

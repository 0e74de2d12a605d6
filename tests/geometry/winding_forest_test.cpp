// SPDX-License-Identifier: MIT
#include "geometry/winding_forest.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tessera {
namespace {

using Wraps = std::array<bool, 3>;

TEST(WindingForest, AChainDoesNotWrapAndARingDoes) {
  WindingForest forest(5);
  for (std::size_t i = 0; i < 4; ++i) forest.unite(i, i + 1, {0, 0, 0});
  EXPECT_EQ(forest.find(0), forest.find(4));
  EXPECT_EQ(forest.wraps(forest.find(2)), (Wraps{false, false, false}));
  forest.unite(4, 0, {1, 0, 0});
  EXPECT_EQ(forest.wraps(forest.find(2)), (Wraps{true, false, false}));
}

TEST(WindingForest, TwoWaysOfTheSameWindingAreNoRing) {
  WindingForest forest(3);
  forest.unite(0, 1, {0, 1, 0});
  forest.unite(1, 2, {0, -1, 0});
  forest.unite(0, 2, {0, 0, 0});
  forest.unite(2, 0, {0, 0, 0});
  EXPECT_EQ(forest.wraps(forest.find(0)), (Wraps{false, false, false}));
  forest.unite(0, 2, {0, 0, 2});
  EXPECT_EQ(forest.wraps(forest.find(0)), (Wraps{false, false, true}));
}

TEST(WindingForest, OneThatTouchesItselfRoundTheBoxWraps) {
  WindingForest forest(1);
  forest.unite(0, 0, {0, 0, 1});
  EXPECT_EQ(forest.wraps(0), (Wraps{false, false, true}));
}

TEST(WindingForest, UnitedTreesKeepTheWrapsOfBoth) {
  WindingForest forest(4);
  forest.unite(0, 1, {1, 0, 0});
  forest.unite(1, 0, {0, 0, 0});  // ring along x
  forest.unite(2, 3, {0, 0, 0});
  forest.unite(3, 2, {0, 1, 0});  // ring along y
  forest.unite(1, 3, {0, 0, 0});
  EXPECT_EQ(forest.wraps(forest.find(0)), (Wraps{true, true, false}));
}

TEST(WindingForest, ADiagonalRingWrapsAlongBothAxes) {
  WindingForest forest(2);
  forest.unite(0, 1, {0, 0, 0});
  forest.unite(1, 0, {1, -1, 0});
  EXPECT_EQ(forest.wraps(forest.find(1)), (Wraps{true, true, false}));
}

TEST(WindingForest, PlacesInAnUnwrappedPlaneNeverWrapInAnyOrder) {
  // Every element has a place; whoever is united is united along the difference of the places.
  std::mt19937 random(5);
  constexpr std::size_t size = 200;
  std::vector<Winding> place(size);
  for (Winding& p : place) {
    for (std::int32_t& c : p) c = static_cast<std::int32_t>(random() % 11) - 5;
  }
  WindingForest forest(size);
  for (int i = 0; i < 2000; ++i) {
    std::size_t const a = random() % size;
    std::size_t const b = random() % size;
    forest.unite(a, b,
                 {place[b][0] - place[a][0], place[b][1] - place[a][1], place[b][2] - place[a][2]});
  }
  std::size_t const root = forest.find(0);
  for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(forest.find(i), root);
  EXPECT_EQ(forest.wraps(root), (Wraps{false, false, false}));
}

}  // namespace
}  // namespace tessera

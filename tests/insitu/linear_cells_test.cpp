// SPDX-License-Identifier: MIT
#include "insitu/linear_cells.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

using Corners = std::vector<std::int64_t>;

TEST(LinearCells, AreTheQuadranglesBetweenThePointsOfEachCell) {
  LagrangeCells cells{.dimension = 2, .degree = {2, 1}, .points = {}};
  LinearCells const linear(cells);
  EXPECT_EQ(linear.corners(), 4);
  EXPECT_EQ(linear.cells_of(0), 4);
  EXPECT_EQ(linear.cells_of(1), 1);
  EXPECT_EQ(linear.connections(), (Corners{0, 1,  4,  3, 1, 2, 5, 4, 3, 4, 7, 6, 4, 5, 8, 7,  //
                                           9, 10, 12, 11}));
}

TEST(LinearCells, AreHexahedraInSpace) {
  LagrangeCells cells{.dimension = 3, .degree = {1, 2}, .points = {}};
  LinearCells const linear(cells);
  EXPECT_EQ(linear.corners(), 8);
  EXPECT_EQ(linear.cells_of(1), 8);
  ASSERT_EQ(linear.connections().size(), 8 * 9);
  EXPECT_EQ(Corners(linear.connections().begin(), linear.connections().begin() + 16),
            (Corners{0, 1, 3, 2, 4, 5, 7, 6, 8, 9, 12, 11, 17, 18, 21, 20}));
}

}  // namespace
}  // namespace tessera

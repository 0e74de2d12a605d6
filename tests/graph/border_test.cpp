// SPDX-License-Identifier: MIT
// Which tiles are urgent.
#include "graph/border.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

/// Tiles in a row, each the neighbour of the next.
std::vector<std::vector<std::int32_t>> chain(std::int32_t tiles) {
  std::vector<std::vector<std::int32_t>> neighbours(static_cast<std::size_t>(tiles));
  for (std::int32_t t = 0; t + 1 < tiles; ++t) {
    neighbours[static_cast<std::size_t>(t)].push_back(t + 1);
    neighbours[static_cast<std::size_t>(t) + 1].push_back(t);
  }
  return neighbours;
}

TEST(Border, IsUrgentAndFadesInwards) {
  EXPECT_EQ(border_priorities(chain(7), {0, 0, 0, 0, 1, 1, 1}),
            (std::vector<int>{0, 0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(border_priorities(chain(4), {0, 1, 1, 0}), (std::vector<int>{2, 2, 2, 2}));
}

TEST(Border, IsNowhereInASingleDomain) {
  EXPECT_EQ(border_priorities(chain(3), {1, 1, 1}), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(border_priorities({{}}, {0}), (std::vector<int>{0}));
}

}  // namespace
}  // namespace tessera

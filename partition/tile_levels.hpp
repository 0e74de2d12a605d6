// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace tessera {

/// Where tiles lie, such that the levels of neighbours differ by 1 at most: from 0 to n - 1, or
/// around a ring, where n - 1 and 0 are neighbours as well. Several ranks have the same levels, in
/// some of which one of them may have no tiles.
struct TileLevels {
  std::int32_t count = 0;  ///< n
  std::vector<std::int32_t> of_tile;
  bool ring = false;
};

}  // namespace tessera

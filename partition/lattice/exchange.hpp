// SPDX-License-Identifier: MIT
// What tiles send each other in a step, without the tables of the halo exchange.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"

namespace tessera {

/// What a tile reads of another one, or of itself across a periodic border.
struct Exchange {
  std::int32_t from = 0;
  std::int32_t to = 0;
  /// The copy of the periodically repeated box in which the sender lies, seen from the reader's: 0
  /// in the reader's copy, -1 below, 1 above, along each axis.
  Int3 box;
  std::int64_t values = 0;  ///< a step
};

/// The exchanges of a cut, by reader. Where nothing is periodic the exchanges from a tile are
/// together as large as its outboxes; across periodic borders a box in a row of boxes reads no less
/// than one that meets itself.
std::vector<Exchange> exchanges(BlockGrid const& grid, TileOfBlock const& tile_of_block);

}  // namespace tessera

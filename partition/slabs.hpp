// SPDX-License-Identifier: MIT
// Tiles one behind the other, for lattices that do not fit into the memory of their GPUs: a slab
// has two neighbours, so a sweep through them needs few of them at a time.
#pragma once

#include <array>
#include <cstdint>

#include "partition/cut.hpp"

namespace tessera {

/// Along which axis parts are best cut into slabs.
struct SlabDirection {
  Axis axis = Axis::z;
  std::int64_t layers = 0;     ///< of blocks along it, in the part that has the fewest
  std::int32_t per_level = 1;  ///< slabs of a part that a sweep meets at once: where the box wraps
                               ///< it runs both ways, and there are two
};

/// Takes the axis that most layers of blocks lie along, in which all parts have a share: so a sweep
/// keeps all parts busy. Where the box wraps, layers count half.
SlabDirection slab_direction(BlockGrid const& grid, TileOfBlock const& part_of_block,
                             std::array<bool, 3> periodic);

/// Cuts each part into slabs of about equally many nodes. A slab need not end with a layer; as long
/// as it holds more than one, only slabs that follow each other are neighbours.
TwoLevelCut cut_into_slabs(BlockGrid const& grid, TileOfBlock const& part_of_block, Axis axis,
                           std::int32_t slabs_per_part);

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "run/spread/blocks.hpp"

#include "base/ranks/all_gather.hpp"

namespace tessera {

BlockGrid block_grid(SpreadGeometry const& geometry, LatticeKind lattice) {
  if (geometry.everywhere) return BlockGrid(geometry.own, lattice);
  // Rank by rank they are in the order of the whole.
  return {all_gather(cut_blocks(geometry.own, geometry.layers.lower)), geometry.shape,
          geometry.periodic, lattice};
}

}  // namespace tessera

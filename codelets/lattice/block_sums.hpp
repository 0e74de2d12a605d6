// SPDX-License-Identifier: MIT
// Sums over the nodes of each block: the terms of all averages. No tiling cuts a block, so that a
// sum over blocks in their global order does not depend on the tiles.
//
// Every sum is taken in eight lanes that are then added pairwise, on cores and on GPUs alike: the
// result is the same to the last bit wherever a tile is.
#pragma once

#include <cstdint>

#include "base/storage.hpp"
#include "codelets/lattice/block_rows.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// The part of a block that averages are taken over, in voxels of the block.
struct AverageBox {
  std::uint8_t lower[3];
  std::uint8_t upper[3];
};

struct BlockSums {
  double density_shift = 0;  ///< sum of rho - 1 over all nodes
  double momentum[3] = {};   ///< sum of the momentum after collision, nodes in the box
  double drag[3] = {};  ///< momentum that the walls receive in a step: 2 f_q c_q over links into a
                        ///< wall, all nodes
  double nodes = 0;     ///< nodes in the box
};

/// Sums of block b over populations after collision, f: halo masks are read,
/// halo populations are not. Storage: Half, float or double.
template <class Lattice, class Storage>
BlockSums sum_block(TileView const& tile, std::uint32_t b, AverageBox const& box, Storage const* f);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The blocks of a geometry that is spread over processes.
#pragma once

#include "partition/lattice/block_grid.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// All: the blocks of the whole, which take an eighth of the memory of its voxels, for each
/// process.
BlockGrid block_grid(SpreadGeometry const& geometry, LatticeKind lattice);

}  // namespace tessera

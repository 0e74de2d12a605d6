// SPDX-License-Identifier: MIT
// The blocks of a geometry that is distributed over processes.
#pragma once

#include "partition/lattice/block_grid.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// All ranks: all-gather of the blocks of the whole, which take an eighth of the memory of its
/// voxels on each process.
BlockGrid block_grid(SpreadGeometry const& geometry, LatticeKind lattice);

}  // namespace tessera

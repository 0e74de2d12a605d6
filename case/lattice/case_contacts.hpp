// SPDX-License-Identifier: MIT
// What of a case the fluid never meets: conditions without a link.
#pragma once

#include <vector>

#include "geometry/layer_range.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/lattice/boundaries.hpp"

namespace tessera {

/// All ranks, each of which looks at the solid of its layers: for each condition, whether a
/// velocity of the lattice of the grid, which is of all pores, leads from a pore to it.
std::vector<bool> conditions_with_links(BlockGrid const& grid, LayerRange layers,
                                        Boundaries const& boundaries);

}  // namespace tessera

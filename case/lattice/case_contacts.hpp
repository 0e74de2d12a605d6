// SPDX-License-Identifier: MIT
// Conditions of a case that the fluid never meets, because no link leads to them.
#pragma once

#include <vector>

#include "geometry/layer_range.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/lattice/boundaries.hpp"

namespace tessera {

/// All ranks, each of which checks the solid of its layers: for each condition, whether a velocity
/// of the grid's lattice leads from a pore to it. `grid`: of all pores.
std::vector<bool> conditions_with_links(BlockGrid const& grid, LayerRange layers,
                                        Boundaries const& boundaries);

}  // namespace tessera

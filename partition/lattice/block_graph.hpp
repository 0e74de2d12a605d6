// SPDX-License-Identifier: MIT
// The blocks of a grid as the graph that is cut into tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/row_cut.hpp"

namespace tessera {

/// `work_per_block`: what a block costs besides its nodes.
BlockGraph block_graph(BlockGrid const& grid, std::int32_t work_per_block = 0);

/// cut_in_a_row() of partition/row_cut.hpp along the axes of a grid.
TwoLevelCut cut_in_a_row(BlockGrid const& grid, BlockGraph const& graph,
                         std::vector<Part> const& parts);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Tiles in a row, for several GPUs of one host. METIS cuts fewer links, but gives a tile up to
// twenty neighbours, and what a task costs the runtime is the data it names, what a GPU waits for
// the number of transfers (docs/performance.md). In a row a tile has two neighbours, a GPU two
// transfers in and two out.
#pragma once

#include <vector>

#include "partition/cut.hpp"

namespace tessera {

/// Where each block lies along an axis.
using PlacesAlongAxis = std::vector<double>;

/// Cuts into parts in a row, and each part into slabs in a row, along that one of these axes across
/// which fewest links are cut; among equals, along the first. A slab need not end with a layer of
/// blocks; as long as it holds more than one, only slabs that follow each other are neighbours.
///
/// The two outer slabs of a part have the first numbers: tasks are submitted in the order of
/// numbers, so what other parts wait for is computed first and travels while the inner slabs are
/// computed.
TwoLevelCut cut_in_a_row(BlockGraph const& graph, std::vector<PlacesAlongAxis> const& axes,
                         std::vector<Part> const& parts);

}  // namespace tessera

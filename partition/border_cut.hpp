// SPDX-License-Identifier: MIT
// Tiles of a GPU that has neighbours in other processes. Cut by METIS alone, most tiles of a part
// reach its border, and each sends a message to each process that it meets there: hundreds in a
// step, each of which costs time of the submitting thread and of the thread of MPI
// (docs/performance.md). Here as few tiles as can be have the border, so a part sends and receives
// about one message for each process, and all of them travel while its other tiles are computed.
#pragma once

#include <cstdint>

#include "partition/cut.hpp"

namespace tessera {

/// Cuts a part into tiles of equal work, of which as few as can be have its outer blocks
/// (BlockGraph::outer), and with these the ones next to them. These tiles have the first numbers:
/// tasks are submitted in the order of numbers, so what other ranks wait for is computed first.
TileOfBlock cut_border_first(BlockGraph const& part, std::int32_t tiles);

}  // namespace tessera

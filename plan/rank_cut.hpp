// SPDX-License-Identifier: MIT
// A cut for all ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "partition/cut.hpp"
#include "plan/workers.hpp"

namespace tessera {

/// The parts that a rank wants for these blocks of its own.
using PartsOfRank = std::function<std::vector<Part>(std::span<std::int32_t const> blocks)>;

/// All: rank by rank, in proportion to what each can do. The first one cuts the blocks for all,
/// each its own into tiles; then all know all tiles. Throws BadInput if there are too few `blocks`,
/// as they are called.
TwoLevelCut cut_over_ranks(BlockGraph const& graph, std::string_view blocks, Workers const& workers,
                           PartsOfRank const& parts);

}  // namespace tessera

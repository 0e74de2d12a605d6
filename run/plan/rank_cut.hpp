// SPDX-License-Identifier: MIT
// A cut for all ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "partition/cut.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// The parts that a rank wants for these blocks of its own.
using PartsOfRank = std::function<std::vector<Part>(std::span<std::int32_t const> blocks)>;

/// All: the shares of the ranks, as large as their GPUs, or cores, are many; they sum to 1.
std::vector<double> planned_shares_of_ranks(Workers const& workers);

/// All: rank by rank, in these shares. The first one cuts the blocks for all, each its own into
/// tiles (`cut_part`); then all know all tiles. Throws BadInput if there are too few `blocks`, as
/// they are called.
TwoLevelCut cut_over_ranks(BlockGraph const& graph, std::string_view blocks,
                           std::vector<double> const& shares, PartsOfRank const& parts,
                           CutOfPart const& cut_part = cut_compactly);

/// Of so many tiles of all ranks those of a rank with this share; at least one.
int tiles_of_share(int tiles, double share);

}  // namespace tessera

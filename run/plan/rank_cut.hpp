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

/// The parts of a rank for these blocks of its own.
using PartsOfRank = std::function<std::vector<Part>(std::span<std::int32_t const> blocks)>;

/// All ranks: the shares of the ranks, proportional to the numbers of their GPUs, or cores; they
/// sum to 1.
std::vector<double> planned_shares_of_ranks(Workers const& workers);

/// All ranks: a cut rank by rank, in these shares. Rank 0 cuts the blocks for all, each rank cuts
/// its own into tiles (`cut_part`); an all-gather gives all tiles to all. Throws BadInput if there
/// are too few blocks, which messages name `blocks`.
TwoLevelCut cut_over_ranks(BlockGraph const& graph, std::string_view blocks,
                           std::vector<double> const& shares, PartsOfRank const& parts,
                           CutOfPart const& cut_part = cut_compactly);

/// Number of tiles of a rank with this share, out of `tiles` of all ranks; at least one.
int tiles_of_share(int tiles, double share);

}  // namespace tessera

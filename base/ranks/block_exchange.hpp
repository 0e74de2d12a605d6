// SPDX-License-Identifier: MIT
// All-to-all of numbered blocks of a state, for repartitioning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/all_to_all.hpp"
#include "base/ranks/block_piece.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {

/// A block's bytes, empty if this rank does not have it, and the numbers that belong to it.
struct StateOfBlock {
  std::span<std::byte const> bytes;
  std::span<double const> remembered{};
};

/// Collective. `block(number)` returns the block where it is; it is sent to its rank, which calls
/// take(number, bytes, remembered), also for blocks that it had already.
template <class Block, class Take>
void hand_over_blocks(std::vector<std::int32_t> const& rank_of_block, Block&& block, Take&& take) {
  AllToAll exchange([&](AllToAll::Bytes piece) { for_each_block(piece, take); });
  for (std::size_t b = 0; b < rank_of_block.size(); ++b) {
    auto const number = static_cast<std::int32_t>(b);
    StateOfBlock const found = block(number);
    if (found.bytes.empty()) continue;
    if (rank_of_block[b] == Ranks::rank()) {
      take(number, found.bytes, found.remembered);
    } else {
      exchange.add(rank_of_block[b], BlockHead{number, found.bytes.size(), found.remembered.size()},
                   found.bytes, found.remembered);
    }
  }
  exchange.finish();
}

}  // namespace tessera

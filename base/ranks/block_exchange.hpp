// SPDX-License-Identifier: MIT
// Numbered blocks of a state go to the processes that shall have them: where tiles are cut anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/block_piece.hpp"
#include "base/ranks/exchange.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {

/// A block's bytes, none where it is not here, and the numbers that belong to it.
struct StateOfBlock {
  std::span<std::byte const> bytes;
  std::span<double const> remembered{};
};

/// All ranks. Each block goes from where it is, as `block(number)` says, to its rank, where
/// take(number, bytes, remembered) gets it; what is there already is taken, too.
template <class Block, class Take>
void hand_over_blocks(std::vector<std::int32_t> const& rank_of_block, Block&& block, Take&& take) {
  Exchange exchange([&](Exchange::Bytes piece) { for_each_block(piece, take); });
  for (std::size_t b = 0; b < rank_of_block.size(); ++b) {
    auto const number = static_cast<std::int32_t>(b);
    StateOfBlock const found = block(number);
    if (found.bytes.empty()) continue;
    if (rank_of_block[b] == Ranks::number()) {
      take(number, found.bytes, found.remembered);
    } else {
      exchange.add(rank_of_block[b], BlockHead{number, found.bytes.size(), found.remembered.size()},
                   found.bytes, found.remembered);
    }
  }
  exchange.finish();
}

}  // namespace tessera

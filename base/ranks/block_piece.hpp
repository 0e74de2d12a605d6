// SPDX-License-Identifier: MIT
// Numbered blocks of a state as messages between ranks, in the form that checkpoints have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/piece.hpp"

namespace tessera {

/// The header of a block's bytes and of the numbers that belong to it.
struct BlockHead {
  std::int32_t number = 0;
  std::size_t bytes = 0;
  std::size_t remembered = 0;
};

/// Calls take(number, bytes, remembered) for each block of a piece.
template <class Take>
void for_each_block(std::span<std::byte const> bytes, Take&& take) {
  for (PieceReader piece(bytes); !piece.at_end();) {
    auto const head = piece.take<BlockHead>();
    auto const block = piece.take_bytes(head.bytes);
    take(head.number, block, piece.take<double>(head.remembered));
  }
}

}  // namespace tessera

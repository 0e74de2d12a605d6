// SPDX-License-Identifier: MIT
// Numbered blocks of a state as they travel between processes: what a checkpoint holds of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/piece.hpp"

namespace tessera {

/// In front of a block's bytes and the numbers that belong to it.
struct BlockHead {
  std::int32_t number = 0;
  std::size_t bytes = 0;
  std::size_t remembered = 0;
};

/// Of a piece that consists of blocks: take(number, bytes, remembered).
template <class Take>
void for_each_block(std::span<std::byte const> bytes, Take&& take) {
  for (PieceReader piece(bytes); !piece.at_end();) {
    auto const head = piece.take<BlockHead>();
    auto const block = piece.take_bytes(head.bytes);
    take(head.number, block, piece.take<double>(head.remembered));
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "run/block_gathering.hpp"

#include <utility>

namespace tessera {
namespace {

/// In front of a block.
struct Head {
  std::int32_t number = 0;
  std::size_t bytes = 0;
  std::size_t remembered = 0;
};

}  // namespace

BlockGathering::BlockGathering(std::size_t tiles, Take take)
    : gathering_(tiles, [take = std::move(take)](std::span<std::byte const> bytes) {
        for (PieceReader piece(bytes); !piece.at_end();) {
          auto const head = piece.take<Head>();
          auto const block = piece.take_bytes(head.bytes);
          take(head.number, block, piece.take<double>(head.remembered));
        }
      }) {}

void BlockGathering::add(std::int32_t number, std::span<std::byte const> bytes,
                         std::span<double const> remembered) {
  of_tile_.add(Head{number, bytes.size(), remembered.size()});
  of_tile_.add(bytes);
  of_tile_.add(remembered);
}

void BlockGathering::end_tile() {
  gathering_.add(of_tile_.bytes());
  of_tile_ = {};
}

BlockGathering::Take into(CheckpointWriter* writer) {
  return [writer](std::int32_t number, std::span<std::byte const> bytes,
                  std::span<double const> remembered) {
    if (writer != nullptr) writer->add_block(number, bytes, remembered);
  };
}

}  // namespace tessera

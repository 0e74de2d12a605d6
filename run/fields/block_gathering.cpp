// SPDX-License-Identifier: MIT
#include "run/fields/block_gathering.hpp"

#include <utility>

#include "base/ranks/block_piece.hpp"

namespace tessera {

BlockGathering::BlockGathering(std::size_t tiles, Take take)
    : gathering_(tiles, [take = std::move(take)](std::span<std::byte const> bytes) {
        for_each_block(bytes, take);
      }) {}

void BlockGathering::add(std::int32_t number, std::span<std::byte const> bytes,
                         std::span<double const> remembered) {
  of_tile_.add(BlockHead{number, bytes.size(), remembered.size()});
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

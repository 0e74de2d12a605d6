// SPDX-License-Identifier: MIT
// Blocks of the tiles of all ranks, on their way to the first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/ranks/gathering.hpp"
#include "base/ranks/piece.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace tessera {

/// All ranks make one, add the blocks of so many tiles each, and finish it.
class BlockGathering {
 public:
  /// On the first rank. `remembered`: numbers that belong to the block.
  using Take = std::function<void(std::int32_t number, std::span<std::byte const> bytes,
                                  std::span<double const> remembered)>;

  BlockGathering(std::size_t tiles, Take take);
  void add(std::int32_t number, std::span<std::byte const> bytes,
           std::span<double const> remembered = {});
  /// Behind the blocks of each tile.
  void end_tile();
  /// Throws on the first rank what `take` has thrown.
  void finish() { gathering_.finish(); }

 private:
  Gathering gathering_;
  PieceWriter of_tile_;
};

/// Into a checkpoint, if there is one.
BlockGathering::Take into(CheckpointWriter* writer);

}  // namespace tessera

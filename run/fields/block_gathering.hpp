// SPDX-License-Identifier: MIT
// Gathers the blocks of the tiles of all ranks on rank 0.
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

/// All ranks construct one, add the blocks of so many tiles each, and finish it.
class BlockGathering {
 public:
  /// Called on rank 0 for each block. `remembered`: numbers that belong to the block.
  using Take = std::function<void(std::int32_t number, std::span<std::byte const> bytes,
                                  std::span<double const> remembered)>;

  BlockGathering(std::size_t tiles, Take take);
  void add(std::int32_t number, std::span<std::byte const> bytes,
           std::span<double const> remembered = {});
  /// Ends a tile, after its blocks.
  void end_tile();
  /// Throws on rank 0 what `take` has thrown.
  void finish() { gathering_.finish(); }

 private:
  Gathering gathering_;
  PieceWriter of_tile_;
};

/// Takes blocks into a checkpoint, if there is one.
BlockGathering::Take into(CheckpointWriter* writer);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Writes the blocks of all ranks into a checkpoint: all ranks write their own blocks into the file
// at the same time; where one of them has no access to the file, rank 0 gathers and writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/checkpoint/checkpoint.hpp"
#include "run/fields/block_gathering.hpp"

namespace tessera {

/// All ranks construct one, add the blocks of so many tiles each, and finish it.
class BlockWriting {
 public:
  /// `writer`: rank 0's; null if it could not begin: then nothing is written. `bytes`: size of the
  /// own blocks together; `value_bytes`: size of one value.
  BlockWriting(CheckpointWriter* writer, std::size_t tiles, std::int64_t bytes,
               std::size_t value_bytes);
  void add(std::int32_t number, std::span<std::byte const> bytes,
           std::span<double const> remembered = {});
  /// Ends a tile, after its blocks.
  void end_tile();
  /// Throws on rank 0 what any rank has thrown.
  void finish();

 private:
  std::optional<CheckpointPlace> place_of_first();
  template <class Write>
  void write_own(Write const& write);
  void gather_written(WrittenBlocks const& own);

  CheckpointWriter* writer_;
  bool of_all_ranks_ = false;  ///< each rank writes its own part
  std::optional<CheckpointPart> part_;
  std::optional<BlockGathering> gathering_;
  std::string failed_;  ///< why the own part cannot be written
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The blocks of all ranks on their way into a checkpoint: each rank writes its own into the file,
// all at a time; where one of them cannot see that file, they go through the first one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/checkpoint/checkpoint.hpp"
#include "run/fields/block_gathering.hpp"

namespace tessera {

/// All ranks make one, add the blocks of so many tiles each, and finish it.
class BlockWriting {
 public:
  /// `writer`: the first rank's; null if it could not begin: then nothing is written. `bytes`: of
  /// the own blocks together; `value_bytes`: of one value.
  BlockWriting(CheckpointWriter* writer, std::size_t tiles, std::int64_t bytes,
               std::size_t value_bytes);
  void add(std::int32_t number, std::span<std::byte const> bytes,
           std::span<double const> remembered = {});
  /// Behind the blocks of each tile.
  void end_tile();
  /// Throws on the first rank what any has thrown.
  void finish();

 private:
  std::optional<CheckpointPlace> place_of_first();
  template <class Write>
  void write_own(Write const& write);
  void gather_written(WrittenBlocks const& own);

  CheckpointWriter* writer_;
  bool of_all_ranks_ = false;  ///< each writes its own part
  std::optional<CheckpointPart> part_;
  std::optional<BlockGathering> gathering_;
  std::string failed_;  ///< why the own part cannot be written
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// One process's blocks of a checkpoint, written into the space that CheckpointWriter has reserved
// for all: several processes can write at a time, each a range of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/shared_file.hpp"

namespace tessera {

/// Where the populations of an unfinished checkpoint stand.
struct CheckpointPlace {
  MarkedFile file;
  std::uint64_t begin = 0;  ///< byte of the first value
};

/// The blocks that have been written, for the file's index and checksum.
struct WrittenBlocks {
  struct Entry {
    std::int32_t block = 0;
    std::int64_t begin = 0;  ///< values
    std::int64_t count = 0;
    std::int64_t remembered = 0;  ///< number of remembered values, block after block
  };
  std::vector<Entry> entries;
  std::vector<double> remembered;
  Checksum sum;
};

/// Writes blocks of one process. All functions throw EnvironmentError if writing fails.
class CheckpointPart {
 public:
  /// `value`: the number, among all populations, of this part's first value; `value_bytes`: size of
  /// a value.
  CheckpointPart(CheckpointPlace const& place, std::int64_t value, std::size_t value_bytes);

  void add_block(std::int32_t block, std::span<std::byte const> populations,
                 std::span<double const> remembered);
  /// More values of the block that was added last.
  void add_to_block(std::span<std::byte const> populations);
  /// Returns what has been written, once all of it is on the disk.
  WrittenBlocks finish();

 private:
  SharedFile file_;
  std::uint64_t begin_;  ///< byte of the first value of all
  std::int64_t value_;   ///< the next one
  std::size_t value_bytes_;
  WrittenBlocks written_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Blocks of a checkpoint in the making, as one process writes them into the room that its maker has
// laid out for all: several can write at a time, each a range of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/shared_file.hpp"

namespace tessera {

/// Where the populations of a checkpoint in the making stand.
struct CheckpointPlace {
  MarkedFile file;
  std::uint64_t begin = 0;  ///< byte of the first value
};

/// What has been written: for the file's index and checksum.
struct WrittenBlocks {
  struct Entry {
    std::int32_t block = 0;
    std::int64_t begin = 0;  ///< values
    std::int64_t count = 0;
    std::int64_t remembered = 0;  ///< how many, one block's behind the other's
  };
  std::vector<Entry> entries;
  std::vector<double> remembered;
  Checksum sum;
};

/// All functions throw EnvironmentError if the disk does not take it.
class CheckpointPart {
 public:
  /// `value`: of all populations together, where this part begins; their size in bytes.
  CheckpointPart(CheckpointPlace const& place, std::int64_t value, std::size_t value_bytes);

  void add_block(std::int32_t block, std::span<std::byte const> populations,
                 std::span<double const> remembered);
  /// More values of the block that was added last.
  void add_to_block(std::span<std::byte const> populations);
  /// Once all of it is on the disk.
  WrittenBlocks finish();

 private:
  SharedFile file_;
  std::uint64_t begin_;  ///< byte of the first value of all
  std::int64_t value_;   ///< the next one
  std::size_t value_bytes_;
  WrittenBlocks written_;
};

}  // namespace tessera

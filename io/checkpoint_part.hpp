// SPDX-License-Identifier: MIT
// Blocks of a checkpoint in the making, as one process writes them into the room that its maker has
// laid out for all: several can write at a time, each a range of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "io/checkpoint_seal.hpp"

namespace tessera {

/// Where the populations of a checkpoint in the making stand.
struct CheckpointPlace {
  std::filesystem::path file;
  std::uint64_t begin = 0;  ///< byte of the first value
  std::uint64_t mark = 0;   ///< stands in the first bytes of the file, and of no other
};

/// Whether this process can write there what others will read: the file has the mark, and its
/// system is none whose machines may undo each other's writes to one page (NFS).
bool can_write_at(CheckpointPlace const& place);

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
  ~CheckpointPart();
  CheckpointPart(CheckpointPart const&) = delete;
  CheckpointPart& operator=(CheckpointPart const&) = delete;

  void add_block(std::int32_t block, std::span<std::byte const> populations,
                 std::span<double const> remembered);
  /// More values of the block that was added last.
  void add_to_block(std::span<std::byte const> populations);
  /// Once all of it is on the disk.
  WrittenBlocks finish();

 private:
  [[noreturn]] static void refuse(int error);

  std::uint64_t begin_;  ///< byte of the first value of all
  std::int64_t value_;   ///< the next one
  std::size_t value_bytes_;
  int descriptor_;
  WrittenBlocks written_;
};

}  // namespace tessera

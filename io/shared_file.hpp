// SPDX-License-Identifier: MIT
// A file in the making that several processes write to, each a part of its own, all at a time:
// without a parallel file library, which would have to be the one that all others bring along.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace tessera {

/// A file that can be told from others of its name, which other machines may have.
struct MarkedFile {
  std::filesystem::path path;
  std::uint64_t mark = 0;  ///< stands in the first bytes of the file, and of no other
};

/// Writes a new mark over the first bytes of a file, which is made if it is not there. Throws
/// EnvironmentError.
MarkedFile marked(std::filesystem::path const& path);

/// Whether this process can write there what others will read: the file has the mark, and its
/// system is none whose machines may undo each other's writes to one page (NFS).
bool can_write_to(MarkedFile const& file);

/// What one process writes into a file that is there. All functions throw EnvironmentError if the
/// disk does not take it.
class SharedFile {
 public:
  explicit SharedFile(std::filesystem::path const& path);
  ~SharedFile();
  SharedFile(SharedFile const&) = delete;
  SharedFile& operator=(SharedFile const&) = delete;

  /// `at`: byte of the file.
  void write(std::uint64_t at, std::span<std::byte const> bytes);
  /// Once all of it is on the disk.
  void finish();

 private:
  int descriptor_;
};

}  // namespace tessera

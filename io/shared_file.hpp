// SPDX-License-Identifier: MIT
// A file that several processes write at the same time, each a part of its own, without a parallel
// file library, which would have to fit all other libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace tessera {

/// A file with a mark that distinguishes it from files of the same name on other machines.
struct MarkedFile {
  std::filesystem::path path;
  std::uint64_t mark = 0;  ///< in the first bytes of this file only
};

/// Writes a new mark over the first bytes of a file, which is created if it does not exist. Throws
/// EnvironmentError.
MarkedFile marked(std::filesystem::path const& path);

/// Whether this process can write to the file for others: the file has the mark, and its file
/// system is not one in which machines may undo each other's writes to a page (NFS).
bool can_write_to(MarkedFile const& file);

/// Writes one process's part of an existing file. All functions throw EnvironmentError if writing
/// fails.
class SharedFile {
 public:
  explicit SharedFile(std::filesystem::path const& path);
  ~SharedFile();
  SharedFile(SharedFile const&) = delete;
  SharedFile& operator=(SharedFile const&) = delete;

  /// Writes bytes from byte `at` of the file on.
  void write(std::uint64_t at, std::span<std::byte const> bytes);
  /// Returns once all bytes are on the disk.
  void finish();

 private:
  int descriptor_;
};

}  // namespace tessera

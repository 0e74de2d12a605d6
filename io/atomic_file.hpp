// SPDX-License-Identifier: MIT
// "Write beside, then rename": a result file appears complete, or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace tessera {

/// A file while it is written. The writer fills temporary_path(), in the folder of the final file,
/// and closes it; commit() then puts it in place in one step, replacing an older file. Without
/// commit() the destructor removes the temporary, so that an exception or a full disk leaves
/// neither half a file nor a spoiled older one.
class AtomicFile {
 public:
  /// Creates nothing yet. Throws EnvironmentError if the folder does not exist, or if `final_path`
  /// exists and is not a regular file (renaming over /dev/null would replace the device).
  explicit AtomicFile(std::filesystem::path final_path);
  ~AtomicFile();
  AtomicFile(AtomicFile const&) = delete;
  AtomicFile& operator=(AtomicFile const&) = delete;

  /// The file to write. Its name has neither the name nor the extension of the final file
  /// (io/part_files.hpp).
  std::filesystem::path const& temporary_path() const { return temporary_path_; }

  /// Forces the closed temporary to the disk and renames it. Throws EnvironmentError; the temporary
  /// is removed then.
  void commit();

 private:
  std::filesystem::path final_path_;
  std::filesystem::path temporary_path_;
  bool committed_ = false;
};

/// Checks that a small file can be written now, without touching an existing one. Throws
/// EnvironmentError, as write_whole_file() would.
void check_writable(std::filesystem::path const& path);

/// Writes the whole of a file by way of AtomicFile. Throws EnvironmentError naming the file and the
/// reason.
void write_whole_file(std::filesystem::path const& path, std::string_view content);

}  // namespace tessera

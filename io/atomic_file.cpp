// SPDX-License-Identifier: MIT
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>
#include <utility>

#include "base/errors.hpp"
#include "io/part_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_cannot_write(fs::path const& path, int error) {
  throw EnvironmentError(
      fmt::format("cannot write {}: {}", path.string(), std::generic_category().message(error)));
}

/// Asks the kernel to put a file (or the entries of a folder) on the disk; returns 0 or the errno.
/// A network or quota-limited file system may report a failed write no earlier than here.
int sync_to_disk(fs::path const& path) {
  int const descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int error = ::fsync(descriptor) == 0 ? 0 : errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

fs::path folder_of(fs::path const& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path{"."};
}

/// `path`: how a message calls it.
void fill(fs::path const& temporary, fs::path const& path, std::string_view content) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(temporary.c_str(), "wb"),
                                                         &std::fclose);
  if (!stream) throw_cannot_write(path, errno);
  if (std::fwrite(content.data(), 1, content.size(), stream.get()) != content.size())
    throw_cannot_write(path, errno);
  if (std::fclose(stream.release()) != 0) throw_cannot_write(path, errno);
}

}  // namespace

AtomicFile::AtomicFile(fs::path final_path) : final_path_(std::move(final_path)) {
  std::error_code ignored;
  // A symbolic link stays one: the file that it points to is replaced.
  if (fs::is_symlink(final_path_, ignored)) {
    fs::path const target = fs::weakly_canonical(final_path_, ignored);
    if (!target.empty()) final_path_ = target;
  }
  if (final_path_.filename().empty() || fs::is_directory(final_path_, ignored)) {
    throw EnvironmentError(
        fmt::format("cannot write {}: a folder, a file name was expected", final_path_.string()));
  }
  if (fs::exists(final_path_, ignored) && !fs::is_regular_file(final_path_, ignored)) {
    throw EnvironmentError(
        fmt::format("cannot write {}: not a regular file", final_path_.string()));
  }
  fs::path const folder = folder_of(final_path_);
  if (!fs::is_directory(folder, ignored)) {
    throw EnvironmentError(fmt::format("cannot write {}: there is no folder {}",
                                       final_path_.string(), folder.string()));
  }
  temporary_path_ = folder / new_part_name();
}

AtomicFile::~AtomicFile() {
  if (committed_) return;
  // A library that failed to close it on a full disk still has it open, and would keep its room.
  static_cast<void>(::truncate(temporary_path_.c_str(), 0));
  std::error_code ignored;
  fs::remove(temporary_path_, ignored);
}

void AtomicFile::commit() {
  if (int const error = sync_to_disk(temporary_path_)) throw_cannot_write(final_path_, error);
  std::error_code failure;
  fs::rename(temporary_path_, final_path_, failure);
  if (failure) throw_cannot_write(final_path_, failure.value());
  committed_ = true;
  // The rename itself survives a power cut only once the folder is on the disk; some file systems
  // refuse to sync a folder, and the file is in place all the same.
  static_cast<void>(sync_to_disk(folder_of(final_path_)));
}

void check_writable(fs::path const& path) {
  AtomicFile const file(path);
  fill(file.temporary_path(), path, "x");
  if (int const error = sync_to_disk(file.temporary_path())) throw_cannot_write(path, error);
}

void write_whole_file(fs::path const& path, std::string_view content) {
  AtomicFile file(path);
  fill(file.temporary_path(), path, content);
  file.commit();
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "io/shared_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

#include "base/errors.hpp"

namespace tessera {
namespace {

[[noreturn]] void refuse(int error) {
  throw EnvironmentError(
      fmt::format("cannot write the file: {}", std::generic_category().message(error)));
}

int opened(std::filesystem::path const& path, int flags) {
  int const descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(errno);
  return descriptor;
}

}  // namespace

MarkedFile marked(std::filesystem::path const& path) {
  std::random_device random;
  MarkedFile const file{path, std::uint64_t{random()} << 32 | random() | 1};
  int const descriptor = opened(path, O_WRONLY | O_CREAT);
  ssize_t const written = ::pwrite(descriptor, &file.mark, sizeof file.mark, 0);
  int const error = written < 0 ? errno : ENOSPC;
  ::close(descriptor);
  if (written != sizeof file.mark) refuse(error);
  return file;
}

bool can_write_to(MarkedFile const& file) {
  int const descriptor = ::open(file.path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct statfs system {};
  std::uint64_t mark = 0;
  bool const can = ::fstatfs(descriptor, &system) == 0 && system.f_type != NFS_SUPER_MAGIC &&
                   ::pread(descriptor, &mark, sizeof mark, 0) == sizeof mark && mark == file.mark;
  ::close(descriptor);
  return can;
}

SharedFile::SharedFile(std::filesystem::path const& path) : descriptor_(opened(path, O_WRONLY)) {}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// It changes the file. NOLINTNEXTLINE(readability-make-member-function-const)
void SharedFile::write(std::uint64_t at, std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    ssize_t const now = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) refuse(now < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(now));
    at += static_cast<std::uint64_t>(now);
  }
}

void SharedFile::finish() {
  // A system of several machines may say no earlier than here that a write has failed.
  if (::fsync(descriptor_) != 0) refuse(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) refuse(errno);
}

}  // namespace tessera

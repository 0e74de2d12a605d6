// SPDX-License-Identifier: MIT
#include "io/checkpoint_part.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "lattice/errors.hpp"

namespace tessera {

bool can_write_at(CheckpointPlace const& place) {
  int const descriptor = ::open(place.file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct statfs system {};
  std::uint64_t mark = 0;
  bool const can = ::fstatfs(descriptor, &system) == 0 && system.f_type != NFS_SUPER_MAGIC &&
                   ::pread(descriptor, &mark, sizeof mark, 0) == sizeof mark && mark == place.mark;
  ::close(descriptor);
  return can;
}

CheckpointPart::CheckpointPart(CheckpointPlace const& place, std::int64_t value,
                               std::size_t value_bytes)
    : begin_(place.begin),
      value_(value),
      value_bytes_(value_bytes),
      descriptor_(::open(place.file.c_str(), O_WRONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) refuse(errno);
}

CheckpointPart::~CheckpointPart() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void CheckpointPart::add_block(std::int32_t block, std::span<std::byte const> populations,
                               std::span<double const> remembered) {
  written_.entries.push_back({block, value_, 0, static_cast<std::int64_t>(remembered.size())});
  written_.remembered.insert(written_.remembered.end(), remembered.begin(), remembered.end());
  add_to_block(populations);
}

void CheckpointPart::add_to_block(std::span<std::byte const> populations) {
  auto const count = static_cast<std::int64_t>(populations.size() / value_bytes_);
  written_.sum.add(populations);
  std::uint64_t at = begin_ + static_cast<std::uint64_t>(value_) * value_bytes_;
  while (!populations.empty()) {
    ssize_t const now =
        ::pwrite(descriptor_, populations.data(), populations.size(), static_cast<off_t>(at));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) refuse(now < 0 ? errno : ENOSPC);
    populations = populations.subspan(static_cast<std::size_t>(now));
    at += static_cast<std::uint64_t>(now);
  }
  written_.entries.back().count += count;
  value_ += count;
}

WrittenBlocks CheckpointPart::finish() {
  // A system of several machines may say no earlier than here that a write has failed.
  if (::fsync(descriptor_) != 0) refuse(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) refuse(errno);
  return std::move(written_);
}

void CheckpointPart::refuse(int error) {
  throw EnvironmentError(
      fmt::format("cannot write the populations: {}", std::generic_category().message(error)));
}

}  // namespace tessera

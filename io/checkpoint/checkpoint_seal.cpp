// SPDX-License-Identifier: MIT
#include "io/checkpoint/checkpoint_seal.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "io/images/image_format.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view seal_magic = "Tessera checkpoint";

/// All bytes of the seal are told by the rest of the file: one that differs anywhere is damaged.
std::string seal_of(Checksum const& rest) {
  std::string text = fmt::format("{}\nversion {}\nbytes {}\ncrc32 {:08x}\n", seal_magic,
                                 checkpoint_version, seal_bytes + rest.bytes(), rest.value());
  text.resize(seal_bytes);
  return text;
}

/// Adds the bytes up to a place, or to the end of the file; fewer if it cannot be read.
void add_up_to(Checksum& sum, std::ifstream& file, std::uint64_t end) {
  std::vector<char> piece(1 << 20);
  while (seal_bytes + sum.bytes() < end && file) {
    auto const most = std::min<std::uint64_t>(piece.size(), end - seal_bytes - sum.bytes());
    file.read(piece.data(), static_cast<std::streamsize>(most));
    sum.add(std::as_bytes(std::span(piece)).first(static_cast<std::size_t>(file.gcount())));
  }
}

std::string reason() { return errno == 0 ? "unknown reason" : std::strerror(errno); }

/// The number behind the seal_magic words, if it has one.
std::optional<int> version_in(std::string_view seal) {
  std::string_view const before = "\nversion ";
  if (!seal.starts_with(seal_magic) || !seal.substr(seal_magic.size()).starts_with(before))
    return std::nullopt;
  seal.remove_prefix(seal_magic.size() + before.size());
  int version = 0;
  std::size_t digits = 0;
  for (; digits < 6 && digits < seal.size() && seal[digits] >= '0' && seal[digits] <= '9'; ++digits)
    version = 10 * version + (seal[digits] - '0');
  if (digits == 0 || digits == seal.size() || seal[digits] != '\n') return std::nullopt;
  return version;
}

}  // namespace

void Checksum::add(std::span<std::byte const> bytes) {
  value_ = static_cast<std::uint32_t>(
      crc32_z(value_, reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size()));
  bytes_ += bytes.size();
}

void Checksum::add(Checksum const& next) {
  value_ = static_cast<std::uint32_t>(
      crc32_combine(value_, next.value_, static_cast<z_off_t>(next.bytes_)));
  bytes_ += next.bytes_;
}

void seal_checkpoint(fs::path const& file, SummedPart const& known) {
  errno = 0;
  Checksum sum;
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(seal_bytes);
  add_up_to(sum, stream, known.begin);
  sum.add(known.sum);
  stream.seekg(static_cast<std::streamoff>(seal_bytes + sum.bytes()));
  bool const read = static_cast<bool>(stream);
  add_up_to(sum, stream, std::numeric_limits<std::uint64_t>::max());
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  std::string const seal = seal_of(sum);
  out.write(seal.data(), static_cast<std::streamsize>(seal.size()));
  out.flush();
  if (!read || stream.bad() || !out)
    throw EnvironmentError(fmt::format("cannot write {}: {}", file.string(), reason()));
}

std::string check_seal(fs::path const& file) {
  auto const refuse = [&](std::string const& what) {
    throw BadInput(fmt::format("{}: {}", file.string(), what));
  };
  errno = 0;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) refuse("no file: expected a checkpoint");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(fmt::format("cannot be read: {}", reason()));
  std::string seal(seal_bytes, '\0');
  stream.read(seal.data(), static_cast<std::streamsize>(seal.size()));
  if (seal.starts_with(hdf5_magic)) {
    refuse(fmt::format("of version 1, or no checkpoint: expected a checkpoint of version {}",
                       checkpoint_version));
  }
  if (!seal.starts_with(seal_magic)) refuse("no checkpoint, or its beginning is damaged");
  if (auto const version = version_in(seal); version && *version != checkpoint_version)
    refuse(fmt::format("of version {}: expected a checkpoint of version {}", *version,
                       checkpoint_version));
  Checksum sum;
  add_up_to(sum, stream, std::numeric_limits<std::uint64_t>::max());
  if (stream.bad()) refuse(fmt::format("cannot be read: {}", reason()));
  if (seal != seal_of(sum)) {
    refuse(
        "damaged: its bytes are not those that were written (expected another checkpoint, or the "
        "run to begin anew without --resume)");
  }
  return seal;
}

}  // namespace tessera

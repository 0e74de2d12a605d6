// SPDX-License-Identifier: MIT
// The first bytes of a checkpoint: what it is, and a checksum of all that follows. It is checked
// before HDF5 opens the file, as HDF5 may crash on a damaged one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace tessera {

/// Bytes of the seal; HDF5 leaves a multiple of these free at the beginning of a file.
inline constexpr std::size_t seal_bytes = 512;

/// Version of the format of checkpoints; a checkpoint of another version is refused.
inline constexpr int checkpoint_version = 2;

/// The checksum of successive bytes: CRC-32, as in zlib and PNG. It detects every single burst of
/// up to 32 bits, and misses other damage with a probability of 2^-32.
class Checksum {
 public:
  void add(std::span<std::byte const> bytes);
  /// Adds the checksum of the bytes that follow the bytes so far.
  void add(Checksum const& next);

  std::uint32_t value() const { return value_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint32_t value_ = 0;
  std::uint64_t bytes_ = 0;
};

/// A part of a file whose checksum is known from writing it: it need not be read again.
struct SummedPart {
  std::uint64_t begin = seal_bytes;
  Checksum sum;
};

/// Writes the seal over the first bytes of a closed file, which hold nothing else. Throws
/// EnvironmentError.
void seal_checkpoint(std::filesystem::path const& file, SummedPart const& known = {});

/// Reads the whole file; returns its seal, which identifies it. Throws BadInput "FILE: ..." if it
/// is no checkpoint, one of another version, or not as it was written.
std::string check_seal(std::filesystem::path const& file);

}  // namespace tessera

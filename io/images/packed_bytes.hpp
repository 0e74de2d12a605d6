// SPDX-License-Identifier: MIT
// The bytes of a file behind its header, unpacked. Each packing has a checksum at its end, and is
// therefore read to the end. Not for use outside io/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace tessera {

enum class Packing : std::uint8_t {
  none,
  deflate,  ///< a stream of zlib, or streams of gzip
  bzip2
};

/// Interface to one of the libraries that unpack.
class Unpacker;

class PackedBytes {
 public:
  /// Reads from byte `begin` of a file to its end. Throws BadInput if the file is shorter.
  PackedBytes(std::filesystem::path const& path, std::uintmax_t begin, Packing packing);
  ~PackedBytes();
  PackedBytes(PackedBytes const&) = delete;
  PackedBytes& operator=(PackedBytes const&) = delete;

  /// Reads the next bytes. Throws BadInput if there are fewer, or if they are damaged.
  void read(void* to, std::size_t bytes);
  void skip(std::uintmax_t bytes);
  /// Whether there are no more bytes; reads one if there is.
  bool at_end();
  /// Throws BadInput if there are more bytes, or if the checksum differs.
  void require_end();

 private:
  std::size_t read_some(char* to, std::size_t bytes);

  std::filesystem::path path_;
  std::ifstream file_;
  std::unique_ptr<Unpacker> unpacker_;
  std::uintmax_t unpacked_ = 0;  ///< bytes so far
};

/// All bytes of a file from `begin` on.
std::string bytes_from(std::filesystem::path const& path, std::uintmax_t begin);

}  // namespace tessera

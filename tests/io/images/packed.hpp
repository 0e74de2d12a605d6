// SPDX-License-Identifier: MIT
// Voxels and packings of them, for the tests of readers.
#pragma once

#include <bzlib.h>
#include <zlib.h>

#include <string>

namespace tessera::test {

/// 5 x 4 x 3 zeros and ones, without symmetry.
inline std::string voxels_of_60() {
  std::string voxels(60, '\0');
  for (std::size_t i = 0; i < voxels.size(); ++i) voxels[i] = i * i % 7 < 3 ? '\1' : '\0';
  return voxels;
}

/// By zlib, as its own stream or as that of gzip.
inline std::string deflated(std::string const& bytes, int window = MAX_WBITS) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  std::string from = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(from.data());
  stream.avail_in = static_cast<unsigned>(from.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string gzipped(std::string const& bytes) { return deflated(bytes, MAX_WBITS + 16); }

inline std::string bzipped(std::string const& bytes) {
  std::string packed(bytes.size() + 600, '\0');
  std::string from = bytes;
  auto size = static_cast<unsigned>(packed.size());
  BZ2_bzBuffToBuffCompress(packed.data(), &size, from.data(), static_cast<unsigned>(from.size()), 9,
                           0, 0);
  packed.resize(size);
  return packed;
}

}  // namespace tessera::test

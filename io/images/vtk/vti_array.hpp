// SPDX-License-Identifier: MIT
// The values of an array of a VTK XML file: text, or bytes as they are or in base64, packed in
// blocks or not. Not for use outside io/.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tessera {

/// The encoding of all arrays, from the head of the file.
struct VtiEncoding {
  bool big_endian = false;
  bool packed = false;
  std::size_t word = 4;  ///< bytes of the numbers before the values
};

/// The bytes of an array that is no text.
struct VtiBytes {
  bool base64 = false;
  std::uint64_t stored = 0;  ///< characters or bytes from its beginning to the end of all
  /// Returns the first `count` of the stored characters or bytes, or as many as there are.
  std::function<std::string(std::size_t count)> first;
};

/// Bytes of a value of VTK's type "UInt8", "Float32" and so on; 0 for an unknown type.
std::size_t bytes_of_vti_type(std::string_view type);

/// The fault of an array that should have so many values; empty if it has them.
std::string fault_of_vti_text(std::string_view text, std::string_view type, std::uint64_t values);
std::string fault_of_vti_bytes(VtiBytes const& array, VtiEncoding const& encoding,
                               std::uint64_t bytes);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// DICOM files of one slice, element by element.
#pragma once

#include <optional>
#include <string>

#include "tests/io/images/number_bytes.hpp"
#include "tests/io/images/packed.hpp"

namespace tessera::test {

/// A slice of 5 x 4 pixels, with explicit kinds and the least byte first.
struct DicomBytes {
  std::string pixels = voxels_of_60().substr(0, 20);
  std::optional<double> position = {};
  std::string series = "1.2.3 ";
  std::string more = {};  ///< elements between the size and the bits
  unsigned bits = 8;
  bool is_signed = false;
  std::string rescale = {};

  static std::string element(unsigned group, unsigned number, std::string const& kind,
                             std::string value) {
    if (value.size() % 2 == 1) value += ' ';
    Bytes bytes(false);
    bytes.number(group, 2).number(number, 2).text(kind);
    if (kind == "OW") bytes.number(0, 2);
    bytes.number(value.size(), kind == "OW" ? 4 : 2);
    return bytes.text(value).str();
  }
  static std::string of_16(unsigned group, unsigned number, unsigned value) {
    return element(group, number, "US", Bytes(false).number(value, 2).str());
  }

  std::string bytes() const {
    std::string place;
    if (position) {
      place = element(0x20, 0x32, "DS", R"(0\0\)" + std::to_string(*position)) +
              element(0x20, 0x37, "DS", R"(1\0\0\0\1\0)");
    }
    return std::string(128, '\0') + "DICM" +
           element(2, 0x10, "UI", std::string("1.2.840.10008.1.2.1\0", 20)) +
           element(0x20, 0xe, "UI", series) + place + of_16(0x28, 2, 1) + more +
           of_16(0x28, 0x10, 4) + of_16(0x28, 0x11, 5) + element(0x28, 0x30, "DS", "2\\2") +
           of_16(0x28, 0x100, bits) + of_16(0x28, 0x101, bits) + of_16(0x28, 0x102, bits - 1) +
           of_16(0x28, 0x103, is_signed ? 1 : 0) + rescale + element(0x7fe0, 0x10, "OW", pixels);
  }
};

}  // namespace tessera::test

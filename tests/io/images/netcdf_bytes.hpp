// SPDX-License-Identifier: MIT
// Classic NetCDF files, word by word.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "tests/io/images/packed.hpp"

namespace tessera::test {

/// Classic NetCDF: 3 x 4 x 5 bytes, and the size of their edges. (Smaller ones with an attribute
/// libnetcdf 4.9.0 does not read from memory.)
inline std::string netcdf(char version) {
  std::string file;
  auto const big_endian = [&](std::uint64_t value, int bytes) {
    for (int byte = bytes - 1; byte >= 0; --byte)
      file += static_cast<char>(value >> (8U * static_cast<unsigned>(byte)) & 255U);
  };
  auto const word = [&](std::uint64_t value) { big_endian(value, 4); };
  auto const count = [&](std::uint64_t value) { big_endian(value, version == 5 ? 8 : 4); };
  auto const name = [&](std::string const& text) {
    count(text.size());
    file += text + std::string((4 - text.size() % 4) % 4, '\0');
  };
  file = std::string("CDF") + version;
  count(0);
  word(10);
  count(3);
  for (auto const& [axis, extent] : {std::pair{"z", 3}, {"y", 4}, {"x", 5}}) {
    name(axis);
    count(static_cast<std::uint64_t>(extent));
  }
  word(12);
  count(1);
  name("voxel_size_xyz");
  word(6);
  count(3);
  for (int axis = 0; axis < 3; ++axis) big_endian(0x3fd0000000000000, 8);
  word(11);
  count(1);
  name("rock");
  count(3);
  for (std::uint64_t axis = 0; axis < 3; ++axis) count(axis);
  word(0);
  count(0);
  word(1);
  count(60);
  std::uint64_t const place = version == 1 ? 4 : 8;
  big_endian(file.size() + place, static_cast<int>(place));
  return file + voxels_of_60();
}

}  // namespace tessera::test

// SPDX-License-Identifier: MIT
// TIFF files put together byte by byte, so that the reader is not tested against its own library
// alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/io/files.hpp"

namespace tessera::test {

/// A page of one uncompressed strip. Tags not given: those of an 8-bit page, black is zero.
struct TiffPage {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string pixels;  ///< as stored
  std::map<std::uint16_t, std::uint32_t>
      tags;  ///< more tags of one number, or other values of the usual ones
  std::string description;
};

/// The file: header, pixels, descriptions and directories, in this order.
inline std::string tiff_bytes(bool big_endian, std::vector<TiffPage> const& pages,
                              std::string_view tail = "") {
  constexpr int short_type = 3;
  constexpr int long_type = 4;
  constexpr int text_type = 2;
  constexpr int page_number = 297;  // two numbers: which, of how many times 65536
  std::size_t data_bytes = 0;
  for (TiffPage const& page : pages) data_bytes += page.pixels.size() + page.description.size() + 1;
  Bytes data(big_endian);
  Bytes directories(big_endian);
  std::size_t const data_begin = 8;
  std::size_t const directories_begin =
      data_begin + data_bytes + tail.size() + (data_bytes + tail.size()) % 2;
  for (TiffPage const& page : pages) {
    std::map<std::uint16_t, std::uint32_t> tags{
        {256, page.width}, {257, page.height}, {258, 8}, {259, 1}, {262, 1}};
    tags[273] = static_cast<std::uint32_t>(data_begin + data.size());
    tags[277] = 1;
    tags[278] = page.height;
    tags[279] = static_cast<std::uint32_t>(page.pixels.size());
    for (auto const& [tag, value] : page.tags) tags[tag] = value;
    data.text(page.pixels);
    std::size_t const description_at = data_begin + data.size();
    data.text(page.description).text(std::string_view("\0", 1));
    bool const described = !page.description.empty();
    if (described) tags[270] = static_cast<std::uint32_t>(description_at);
    directories.number(tags.size(), 2);
    for (auto const& [tag, value] : tags) {
      bool const is_short =
          tag == 258 || tag == 259 || tag == 262 || tag == 266 || tag == 277 || tag == 339;
      directories.number(tag, 2);
      if (tag == 270) {
        directories.number(text_type, 2).number(page.description.size() + 1, 4).number(value, 4);
      } else if (tag == page_number) {
        directories.number(short_type, 2).number(2, 4).number(value & 0xffffU, 2);
        directories.number(value >> 16U, 2);
      } else if (is_short) {
        directories.number(short_type, 2).number(1, 4).number(value, 2).number(0, 2);
      } else {
        directories.number(long_type, 2).number(1, 4).number(value, 4);
      }
    }
    bool const last = &page == &pages.back();
    directories.number(last ? 0 : directories_begin + directories.size() + 4, 4);
  }
  Bytes file(big_endian);
  file.text(big_endian ? "MM" : "II").number(42, 2).number(directories_begin, 4);
  file.text(data.str()).text(tail);
  while (file.size() < directories_begin) file.number(0, 1);
  return file.text(directories.str()).str();
}

/// ImageJ's big stack: header, one directory at byte 8, description, then all slices to the end of
/// the file.
inline std::string imagej_stack_bytes(bool big_endian, std::uint32_t width, std::uint32_t height,
                                      std::string const& description, int bits,
                                      std::string_view slices) {
  Bytes file(big_endian);
  constexpr std::uint32_t entries = 8;
  std::uint32_t const description_at = 8 + 2 + entries * 12 + 4;
  auto const pixels_at = static_cast<std::uint32_t>(description_at + description.size() + 1);
  auto const entry = [&](int tag, int type, unsigned long long count, unsigned long long value) {
    file.number(static_cast<unsigned>(tag), 2)
        .number(static_cast<unsigned>(type), 2)
        .number(count, 4);
    if (type == 3) {
      file.number(value, 2).number(0, 2);
    } else {
      file.number(value, 4);
    }
  };
  file.text(big_endian ? "MM" : "II").number(42, 2).number(8, 4).number(entries, 2);
  entry(256, 4, 1, width);
  entry(257, 4, 1, height);
  entry(258, 3, 1, static_cast<unsigned>(bits));
  entry(262, 3, 1, 0);
  entry(270, 2, description.size() + 1, description_at);
  entry(273, 4, 1, pixels_at);
  entry(278, 3, 1, height);
  entry(279, 4, 1, width * height * static_cast<unsigned>(bits) / 8);
  file.number(0, 4).text(description).number(0, 1).text(slices);
  return file.str();
}

}  // namespace tessera::test

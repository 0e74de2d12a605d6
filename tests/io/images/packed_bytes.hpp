// SPDX-License-Identifier: MIT
// What zlib packs, and pictures (PNG, BMP) put together byte by byte.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/io/files.hpp"

namespace tessera::test {

inline std::string zlib_packed(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<Bytef const*>(bytes.data()), static_cast<uLong>(bytes.size()), 9);
  packed.resize(size);
  return packed;
}

struct Png {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  unsigned bits = 8;
  unsigned colour_type = 0;  ///< 0 grey, 2 colours, 3 palette
  std::string rows;          ///< as stored, without the byte that says how a row is filtered
  std::string palette;
  std::string animation;  ///< the chunk that says of how many pictures
};

inline std::string png_bytes(Png const& png) {
  auto const chunk = [](std::string const& name, std::string const& data) {
    std::string const summed = name + data;
    uLong const sum =
        crc32(0, reinterpret_cast<Bytef const*>(summed.data()), static_cast<uInt>(summed.size()));
    return Bytes(true).number(data.size(), 4).text(summed).number(sum, 4).str();
  };
  std::string rows;
  std::size_t const row = png.rows.size() / png.height;
  for (std::size_t y = 0; y < png.height; ++y) rows += '\0' + png.rows.substr(y * row, row);
  std::string const header = Bytes(true)
                                 .number(png.width, 4)
                                 .number(png.height, 4)
                                 .number(png.bits, 1)
                                 .number(png.colour_type, 1)
                                 .number(0, 3)
                                 .str();
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) +
         (png.animation.empty() ? "" : chunk("acTL", png.animation)) +
         (png.palette.empty() ? "" : chunk("PLTE", png.palette)) +
         chunk("IDAT", zlib_packed(rows)) + chunk("IEND", "");
}

/// Rows from the lowest on, each of a multiple of four bytes. `palette`: blue, green, red, 0.
inline std::string bmp_bytes(std::uint32_t width, std::uint32_t height, unsigned bits,
                             std::string const& palette, std::string const& rows) {
  constexpr std::size_t headers = 54;
  std::size_t const pixels_at = headers + palette.size();
  return Bytes(false)
      .text("BM")
      .number(pixels_at + rows.size(), 4)
      .number(0, 4)
      .number(pixels_at, 4)
      .number(40, 4)
      .number(width, 4)
      .number(height, 4)
      .number(1, 2)
      .number(bits, 2)
      .number(0, 4)
      .number(rows.size(), 4)
      .number(0, 8)
      .number(palette.size() / 4, 4)
      .number(0, 4)
      .text(palette)
      .text(rows)
      .str();
}

/// Greys 0 to 255 as a palette of `bytes` each, 3 or 4.
inline std::string grey_palette(std::size_t bytes) {
  std::string palette;
  for (int grey = 0; grey < 256; ++grey)
    palette += std::string(3, static_cast<char>(grey)) + std::string(bytes - 3, '\0');
  return palette;
}

}  // namespace tessera::test

// SPDX-License-Identifier: MIT
// Windows bitmaps (BMP), in which scanners write their slices: a header, a palette, and rows that
// are not packed, the lowest one first. Their headers have the size of all, which has to fit.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/grey_picture.hpp"
#include "io/images/image_readers.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t file_header = 14;

/// The bytes of a file, and the numbers in them, the lowest byte first.
struct BmpBytes {
  fs::path path;
  std::vector<std::uint8_t> bytes;

  [[noreturn]] void refuse(std::string const& why) const {
    throw BadInput(fmt::format("{}: {}", path.string(), why));
  }
  std::uint32_t number(std::size_t at, std::size_t count) const {
    if (at + count > bytes.size()) refuse("truncated BMP file");
    std::uint32_t value = 0;
    for (std::size_t i = count; i > 0; --i) value = value << 8U | bytes[at + i - 1];
    return value;
  }
  std::int64_t signed_number(std::size_t at) const {
    return static_cast<std::int32_t>(number(at, 4));
  }
};

struct BmpHeader {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  bool top_first = false;
  std::size_t bits = 0;  ///< of a pixel
  std::size_t pixels_at = 0;
  std::vector<Colour> palette;

  std::size_t row_bytes() const { return (static_cast<std::size_t>(columns) * bits + 31) / 32 * 4; }
};

BmpHeader header_of(BmpBytes const& file) {
  BmpHeader header;
  std::size_t const info = file.number(file_header, 4);
  constexpr std::size_t of_windows_3 = 40;
  if (info < of_windows_3)
    file.refuse(fmt::format("a BMP header of {} bytes, 40 at least were expected", info));
  std::int64_t const rows = file.signed_number(22);
  header.columns = file.signed_number(18);
  header.rows = std::abs(rows);
  header.top_first = rows < 0;
  header.bits = file.number(28, 2);
  header.pixels_at = file.number(10, 4);
  checked_volume({header.columns, header.rows, 1}, file.path);
  if (auto const packed = file.number(30, 4); packed != 0)
    file.refuse(fmt::format("a BMP file packed by method {}, plain pixels were expected", packed));
  bool const numbered = header.bits == 1 || header.bits == 4 || header.bits == 8;
  if (!numbered && header.bits != 24 && header.bits != 32)
    file.refuse(
        fmt::format("a BMP file of {} bits a pixel, 1, 4, 8, 24 or 32 were expected", header.bits));
  std::size_t const said = file.number(46, 4);
  std::size_t const most = std::size_t{1} << header.bits % 32;
  if (numbered && said > most)
    file.refuse(fmt::format("a BMP palette of {} colours for {} bits", said, header.bits));
  for (std::size_t i = 0; numbered && i < (said == 0 ? most : said); ++i) {
    std::uint32_t const colour = file.number(file_header + info + 4 * i, 4);
    header.palette.push_back({static_cast<std::uint8_t>(colour >> 16U),
                              static_cast<std::uint8_t>(colour >> 8U),
                              static_cast<std::uint8_t>(colour)});
  }
  return header;
}

/// Both the header and the file say how many bytes there are. Some programs fill the file up to a
/// multiple of four bytes, some leave a size in the header 0.
void require_sizes(BmpBytes const& file, BmpHeader const& header) {
  std::size_t const pixels = header.row_bytes() * static_cast<std::size_t>(header.rows);
  constexpr std::size_t filled_up = 3;
  auto const fits = [&](std::size_t said, std::size_t expected) {
    return said >= expected && said <= expected + filled_up;
  };
  std::size_t const expected = header.pixels_at + pixels;
  if (!fits(file.bytes.size(), expected)) {
    file.refuse(
        fmt::format("{} BMP file: {} bytes, but its {} x {} pixels of {} bits end at byte "
                    "{}",
                    file.bytes.size() < expected ? "truncated" : "oversized", file.bytes.size(),
                    header.columns, header.rows, header.bits, expected));
  }
  for (auto const& [at, size] : {std::pair{std::size_t{2}, expected}, {std::size_t{34}, pixels}}) {
    std::size_t const said = file.number(at, 4);
    if (said == 0 || fits(said, size)) continue;
    file.refuse(fmt::format("damaged BMP file: its header says {} bytes where {} were expected",
                            said, size));
  }
  if (header.pixels_at < file_header + file.number(file_header, 4) + 4 * header.palette.size())
    file.refuse("damaged BMP file: its pixels begin within its header");
}

/// A row as numbers of the palette, or as greys.
void unpack_row(BmpBytes const& file, BmpHeader const& header, std::uint8_t const* row,
                std::uint8_t* to) {
  auto const columns = static_cast<std::size_t>(header.columns);
  for (std::size_t x = 0; x < columns; ++x) {
    if (header.bits >= 24) {
      std::uint8_t const* const pixel = row + x * header.bits / 8;
      to[x] = grey_of(file.path, {pixel[2], pixel[1], pixel[0]});
    } else {
      std::size_t const bit = x * header.bits;
      std::size_t const shift = 8 - header.bits - bit % 8;
      to[x] = static_cast<std::uint8_t>(row[bit / 8] >> shift & ((1U << header.bits) - 1));
    }
  }
}

}  // namespace

SliceFile read_bmp_slice(fs::path const& path) {
  BmpBytes file{path, std::vector<std::uint8_t>(readable_file_size(path))};
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(file.bytes.data()),
            static_cast<std::streamsize>(file.bytes.size()));
  BmpHeader const header = header_of(file);
  require_sizes(file, header);
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(header.columns * header.rows));
  for (std::int64_t y = 0; y < header.rows; ++y) {
    auto const stored = static_cast<std::size_t>(header.top_first ? y : header.rows - 1 - y);
    unpack_row(file, header, file.bytes.data() + header.pixels_at + stored * header.row_bytes(),
               pixels.data() + y * header.columns);
  }
  if (!header.palette.empty()) greys_by_number(path, greys_of_palette(header.palette), pixels);
  return slice_of_picture("BMP", header.columns, header.rows, "uint8", std::move(pixels));
}

}  // namespace tessera

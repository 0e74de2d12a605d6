// SPDX-License-Identifier: MIT
#include "io/tiff_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {
namespace {

constexpr char const* damaged = "truncated or damaged TIFF file";

/// 64-bit integers as the 32-bit ones that voxels are held in.
template <typename Wide, typename T>
void narrow_pixels(TiffFile const& file, T* to, std::uint8_t const* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    Wide value{};
    std::memcpy(&value, from + static_cast<std::size_t>(i) * sizeof(Wide), sizeof(Wide));
    if (!std::in_range<T>(value))
      file.refuse(fmt::format("the value {} does not fit in 32 bits", value));
    to[i] = static_cast<T>(value);
  }
}

/// Copies pixels as decoded; libtiff has put bytes and bits in order, so that the first pixel is
/// the highest bit.
template <typename T>
void store_pixels(TiffFile const& file, PageLayout const& layout, T* to, std::uint8_t const* from,
                  std::int64_t count) {
  if (layout.bits == 1) {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = static_cast<T>((from[i / 8] >> (7 - i % 8)) & 1);
    return;
  }
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    if (layout.bits == 64) return narrow_pixels<Wide>(file, to, from, count);
  }
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

template <typename T>
void read_striped_page(TiffFile const& file, PageLayout const& layout, T* page) {
  std::vector<std::uint8_t> row(static_cast<std::size_t>(TIFFScanlineSize64(file.get())));
  if (row.size() < layout.row_bytes()) file.refuse(damaged);
  for (std::int64_t y = 0; y < layout.height; ++y) {
    if (TIFFReadScanline(file.get(), row.data(), static_cast<std::uint32_t>(y), 0) != 1) {
      file.refuse(damaged);
    }
    store_pixels(file, layout, page + y * layout.width, row.data(), layout.width);
  }
}

template <typename T>
void read_tiled_page(TiffFile const& file, PageLayout const& layout, T* page) {
  std::int64_t const tile_width = file.tag<std::uint32_t>(TIFFTAG_TILEWIDTH);
  std::int64_t const tile_height = file.tag<std::uint32_t>(TIFFTAG_TILELENGTH);
  std::vector<std::uint8_t> tile(static_cast<std::size_t>(TIFFTileSize64(file.get())));
  auto const row_bytes = static_cast<std::int64_t>(TIFFTileRowSize64(file.get()));
  if (tile_width <= 0 || tile_height <= 0 ||
      tile.size() < static_cast<std::size_t>(row_bytes * tile_height)) {
    file.refuse(damaged);
  }
  for (std::int64_t y = 0; y < layout.height; y += tile_height) {
    for (std::int64_t x = 0; x < layout.width; x += tile_width) {
      if (TIFFReadTile(file.get(), tile.data(), static_cast<std::uint32_t>(x),
                       static_cast<std::uint32_t>(y), 0, 0) < 0) {
        file.refuse(damaged);
      }
      std::int64_t const columns = std::min(tile_width, layout.width - x);
      std::int64_t const rows = std::min(tile_height, layout.height - y);
      for (std::int64_t row = 0; row < rows; ++row) {
        store_pixels(file, layout, page + (y + row) * layout.width + x,
                     tile.data() + row * row_bytes, columns);
      }
    }
  }
}

template <typename T>
void read_page(TiffFile const& file, PageLayout const& layout, T* page) {
  if (TIFFIsTiled(file.get()) != 0) {
    read_tiled_page(file, layout, page);
  } else {
    read_striped_page(file, layout, page);
  }
  // Some decoders report damage and yet return success.
  if (!file.complaint().empty()) file.refuse(damaged);
}

/// Moves on to the next page; false after the last one.
bool go_to_next_page(TiffFile const& file, PageLayout const& first, std::int64_t number) {
  if (TIFFLastDirectory(file.get()) != 0) return false;
  if (TIFFReadDirectory(file.get()) != 1) file.refuse(damaged);
  PageLayout const found = layout_of_page(file);
  if (found == first) return true;
  file.refuse(fmt::format(
      "page {} is {} x {} of {} bits ({}), but the first page is {} x {} of {} bits ({})", number,
      found.width, found.height, found.bits, name_of(found.type), first.width, first.height,
      first.bits, name_of(first.type)));
}

}  // namespace

PageLayout layout_of_page(TiffFile const& file) {
  using Kind = ElementType::Kind;
  auto const samples = file.tag<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
  if (samples != 1) {
    file.refuse(fmt::format(
        "{} samples a pixel (a colour image?), one grey value or label was expected", samples));
  }
  if (auto const depth = file.tag<std::uint32_t>(TIFFTAG_IMAGEDEPTH); depth > 1) {
    file.refuse(fmt::format("a page {} slices deep, one page a slice was expected", depth));
  }
  PageLayout layout;
  layout.width = file.tag<std::uint32_t>(TIFFTAG_IMAGEWIDTH);
  layout.height = file.tag<std::uint32_t>(TIFFTAG_IMAGELENGTH);
  layout.bits = file.tag<std::uint16_t>(TIFFTAG_BITSPERSAMPLE);
  auto const format = file.tag<std::uint16_t>(TIFFTAG_SAMPLEFORMAT);
  layout.type.kind = format == SAMPLEFORMAT_IEEEFP                    ? Kind::real
                     : format == SAMPLEFORMAT_INT && layout.bits != 1 ? Kind::signed_integer
                                                                      : Kind::unsigned_integer;
  layout.type.big_endian = TIFFIsBigEndian(file.get()) != 0 && layout.bits > 8;
  layout.type.bytes = layout.bits == 1 ? 1 : static_cast<std::size_t>(layout.bits) / 8;
  bool const real = layout.type.kind == Kind::real;
  bool const known_format =
      format != SAMPLEFORMAT_COMPLEXINT && format != SAMPLEFORMAT_COMPLEXIEEEFP;
  bool const known_bits = layout.bits == 32 || layout.bits == 64 ||
                          (!real && (layout.bits == 1 || layout.bits == 8 || layout.bits == 16));
  if (!known_format || !known_bits) {
    file.refuse(fmt::format(
        "{} bits of sample format {} a voxel, expected integers of 1, 8, 16, 32 or 64 bits or "
        "floating point of 32 or 64 bits",
        layout.bits, format));
  }
  checked_volume({layout.width, layout.height, 1}, file.path());
  return layout;
}

Voxels read_pages(TiffFile const& file, PageLayout const& layout, LayerRange pages) {
  std::size_t const page_voxels = checked_volume({layout.width, layout.height, 1}, file.path());
  Voxels voxels = empty_voxels(layout.type);
  std::visit(
      [&](auto& values) {
        if (pages.count() == 0) return;
        values.reserve(checked_volume({layout.width, layout.height, pages.count()}, file.path()));
        for (std::int64_t page = 0; page < pages.upper; ++page) {
          if (page > 0 && !go_to_next_page(file, layout, page + 1)) file.refuse(damaged);
          if (page < pages.lower) continue;
          values.resize(values.size() + page_voxels);
          read_page(file, layout, values.data() + values.size() - page_voxels);
        }
      },
      voxels);
  return voxels;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "io/images/tiff/tiff_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/storage.hpp"
#include "io/images/tiff/tiff_pieces.hpp"

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

/// 16-bit reals as those of 32.
void widen_pixels(float* to, std::uint8_t const* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint16_t half{};
    std::memcpy(&half, from + 2 * i, sizeof(half));
    to[i] = half_format::widen(half);
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
  if constexpr (std::is_same_v<T, float>) {
    if (layout.bits == 16) return widen_pixels(to, from, count);
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
  require_checksums(file, layout);
  if (TIFFIsTiled(file.get()) != 0) {
    read_tiled_page(file, layout, page);
  } else {
    read_striped_page(file, layout, page);
  }
  // Some decoders report damage and yet return success.
  if (!file.complaint().empty()) file.refuse(damaged);
}

/// The part of the "new subfile type" that says so.
bool is_of_another(TiffFile const& file) {
  constexpr std::uint32_t kinds = FILETYPE_REDUCEDIMAGE | FILETYPE_MASK;
  return (file.tag<std::uint32_t>(TIFFTAG_SUBFILETYPE) & kinds) != 0;
}

/// Others have none, and libtiff complains of the question.
int predictor_of(TiffFile const& file, int compression) {
  constexpr std::array with_predictor{COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                      COMPRESSION_DEFLATE, COMPRESSION_LZMA, COMPRESSION_ZSTD};
  if (std::ranges::find(with_predictor, compression) == with_predictor.end()) return PREDICTOR_NONE;
  return file.tag<std::uint16_t>(TIFFTAG_PREDICTOR, PREDICTOR_NONE);
}

}  // namespace

bool PageLayout::goes_with(PageLayout const& other) const {
  bool const packed_alike = compression != other.compression || predictor == other.predictor;
  return width == other.width && height == other.height && bits == other.bits &&
         type == other.type && photometric == other.photometric && of_another == other.of_another &&
         packed_alike;
}

std::string PageLayout::values() const {
  return fmt::format("{}{}", bits == 1 ? "1 bit" : name_of({type.kind, type.bytes, false}),
                     photometric == PHOTOMETRIC_MINISWHITE ? ", white is zero"
                     : photometric == PHOTOMETRIC_PALETTE  ? ", palette"
                                                           : "");
}

std::string PageLayout::text() const {
  return fmt::format("{} x {} of {} bits ({}){}{}", width, height, bits, values(),
                     predictor == 1 ? "" : fmt::format(", predictor {}", predictor),
                     of_another ? ", a small copy or a mask of another page" : "");
}

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
  bool const known_bits = layout.bits == 16 || layout.bits == 32 || layout.bits == 64 ||
                          (!real && (layout.bits == 1 || layout.bits == 8));
  if (!known_format || !known_bits) {
    file.refuse(fmt::format(
        "{} bits of sample format {} a voxel, expected integers of 1, 8, 16, 32 or 64 bits or "
        "floating point of 16, 32 or 64 bits",
        layout.bits, format));
  }
  checked_volume({layout.width, layout.height, 1}, file.path());
  layout.compression = file.tag<std::uint16_t>(TIFFTAG_COMPRESSION);
  layout.predictor = predictor_of(file, layout.compression);
  layout.photometric = file.tag<std::uint16_t>(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  layout.of_another = is_of_another(file);
  return layout;
}

Voxels read_pages(TiffFile const& file, PageLayout const& layout,
                  std::span<std::int64_t const> slices, LayerRange kept) {
  std::size_t const page_voxels = checked_volume({layout.width, layout.height, 1}, file.path());
  Voxels voxels = empty_voxels(layout.type);
  std::visit(
      [&](auto& values) {
        if (kept.count() == 0) return;
        values.reserve(checked_volume({layout.width, layout.height, kept.count()}, file.path()));
        std::int64_t left = kept.count();
        for (std::size_t page = 0; left > 0; ++page) {
          if (page > 0 && TIFFReadDirectory(file.get()) != 1) file.refuse(damaged);
          std::int64_t const slice = slices[page];
          if (slice < kept.lower || slice >= kept.upper) continue;
          auto const at = static_cast<std::size_t>(slice - kept.lower) * page_voxels;
          values.resize(std::max(values.size(), at + page_voxels));
          read_page(file, layout, values.data() + at);
          --left;
        }
      },
      voxels);
  return voxels;
}

}  // namespace tessera

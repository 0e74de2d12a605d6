// SPDX-License-Identifier: MIT
// TIFF volumes: one page a slice, or ImageJ's big stacks, where one page stands for all slices that
// follow it. Values are kept as stored: "white is zero" says how to show them, not which of them
// are pore.
#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "io/element_type.hpp"
#include "io/image_readers.hpp"
#include "io/tiff_file.hpp"
#include "io/tiff_pages.hpp"
#include "io/tiff_voxel_size.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Such a number as a count.
std::int64_t imagej_count(std::string_view description, std::string_view key) {
  double const count = imagej_number(description, key, 1);
  constexpr double most = 1e15;
  return count > -most && count < most ? static_cast<std::int64_t>(count) : 0;
}

/// Slices of an ImageJ stack that follow the only page without pages of their own; 1 for any other
/// file.
std::int64_t imagej_slices(TiffFile const& file) {
  std::string const description = file.description();
  if (description.find("\"truncated\": true") != std::string::npos) {
    file.refuse("several slices in one page in the manner of tifffile; save it page by page");
  }
  if (!description.starts_with("ImageJ=")) return 1;
  auto const channels = imagej_count(description, "channels");
  if (channels > 1)
    file.refuse(fmt::format("{} channels, an image of one channel was expected", channels));
  auto const frames = imagej_count(description, "frames");
  if (frames > 1 && imagej_count(description, "slices") > 1) {
    file.refuse(fmt::format("{} frames in time, one volume was expected", frames));
  }
  return imagej_count(description, "images");
}

/// Offset of the page's pixels, which must lie in one piece and uncompressed for other slices to
/// follow them.
std::uint64_t offset_of_contiguous_page(TiffFile const& file) {
  bool contiguous = file.tag<std::uint16_t>(TIFFTAG_COMPRESSION) == COMPRESSION_NONE &&
                    TIFFIsTiled(file.get()) == 0;
  std::uint64_t const begin = TIFFGetStrileOffset(file.get(), 0);
  std::uint64_t end = begin;
  for (std::uint32_t strip = 0; contiguous && strip < TIFFNumberOfStrips(file.get()); ++strip) {
    contiguous = TIFFGetStrileOffset(file.get(), strip) == end;
    end += TIFFGetStrileByteCount(file.get(), strip);
  }
  if (!contiguous)
    file.refuse("one page for several slices, but compressed or in pieces; save it page by page");
  return begin;
}

Voxels read_imagej_stack(TiffFile const& file, PageLayout const& layout, std::int64_t slices,
                         LayerRange kept) {
  if (layout.bits == 1)
    file.refuse("an ImageJ stack of 1 bit a voxel, 8, 16 or 32 bits were expected");
  std::size_t const voxels = checked_volume({layout.width, layout.height, slices}, file.path());
  std::uint64_t const begin = offset_of_contiguous_page(file);
  std::uint64_t const expected = begin + voxels * layout.type.bytes;
  std::uintmax_t const stored = readable_file_size(file.path());
  if (stored < expected) {
    file.refuse(fmt::format("truncated: {} bytes, but its {} slices of {} x {} end at byte {}",
                            stored, slices, layout.width, layout.height, expected));
  }
  std::ifstream stream(file.path(), std::ios::binary);
  std::size_t const slice = voxels / static_cast<std::size_t>(slices);
  stream.seekg(static_cast<std::streamoff>(begin + static_cast<std::size_t>(kept.lower) * slice *
                                                       layout.type.bytes));
  ByteSource const source = [&](void* to, std::size_t bytes) {
    if (!stream.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)))
      file.refuse("truncated TIFF file");
  };
  return read_elements(layout.type, static_cast<std::size_t>(kept.count()) * slice, source,
                       file.path());
}

std::string describe(TiffFile const& file, PageLayout const& layout, std::int64_t slices,
                     bool imagej_stack) {
  auto const photometric = file.tag<std::uint16_t>(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  return fmt::format(
      "TIFF, {} slice{}{}, {}, {}-endian{}", slices, slices == 1 ? "" : "s",
      imagej_stack ? " in one page (ImageJ)" : "",
      layout.bits == 1 ? "1 bit" : name_of({layout.type.kind, layout.type.bytes, false}),
      TIFFIsBigEndian(file.get()) != 0 ? "big" : "little",
      photometric == PHOTOMETRIC_MINISWHITE ? ", white is zero"
      : photometric == PHOTOMETRIC_PALETTE  ? ", palette"
                                            : "");
}

}  // namespace

Image read_tiff_image(fs::path const& path, std::optional<Int3> shape, LayersWanted const& wanted) {
  std::uintmax_t const stored = readable_file_size(path);
  TiffFile const file(path, "r");
  if (!file.is_open()) file.refuse("not a readable TIFF file");
  std::int64_t pages = 1;
  while (TIFFLastDirectory(file.get()) == 0) {
    if (TIFFReadDirectory(file.get()) != 1) file.refuse("truncated or damaged TIFF file");
    ++pages;
  }
  if (TIFFSetDirectory(file.get(), 0) != 1) file.refuse("truncated or damaged TIFF file");

  PageLayout const layout = layout_of_page(file);
  // Before any memory is asked for on the word of the header.
  if (file.tag<std::uint16_t>(TIFFTAG_COMPRESSION) == COMPRESSION_NONE &&
      layout.page_bytes() > stored) {
    file.refuse(
        fmt::format("truncated: {} bytes, but a page alone has {}", stored, layout.page_bytes()));
  }
  std::int64_t const promised = imagej_slices(file);
  bool const imagej_stack = pages == 1 && promised > 1;

  Image image;
  image.shape = {layout.width, layout.height, imagej_stack ? promised : pages};
  require_shape(path, image.shape, shape);
  image.format = describe(file, layout, image.shape.z, imagej_stack);
  LayerRange const kept = note_layers(image, wanted);
  image.voxels = imagej_stack ? read_imagej_stack(file, layout, promised, kept)
                              : read_pages(file, layout, kept);
  if (TIFFSetDirectory(file.get(), 0) == 1) note_tiff_edges(image, file);
  return image;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// TIFF volumes: one page a slice, or ImageJ's big stacks, where one page stands for all slices that
// follow it. Values are kept as stored: "white is zero" says how to show them, not which of them
// are pore.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "io/images/element_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/tiff/tiff_file.hpp"
#include "io/images/tiff/tiff_pages.hpp"
#include "io/images/tiff/tiff_volume.hpp"
#include "io/images/tiff/tiff_voxel_size.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

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
  if (stored - expected >= layout.page_bytes()) {
    file.refuse(
        fmt::format("its ImageJ header says {} slices of {} x {}, but the {} bytes behind "
                    "them would be {} more",
                    slices, layout.width, layout.height, stored - expected,
                    (stored - expected) / layout.page_bytes()));
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

/// "TIFF, 2 slices, uint8, big-endian, white is zero".
std::string describe(TiffFile const& file, PageLayout const& layout, std::int64_t slices,
                     bool imagej_stack) {
  std::string const values = layout.values();
  std::size_t const type = std::min(values.find(','), values.size());
  return fmt::format("TIFF, {} slice{}{}, {}, {}-endian{}", slices, slices == 1 ? "" : "s",
                     imagej_stack ? " in one page (ImageJ)" : "", values.substr(0, type),
                     TIFFIsBigEndian(file.get()) != 0 ? "big" : "little", values.substr(type));
}

TiffFile open_to_read(fs::path const& path) {
  readable_file_size(path);
  TiffFile file(path, "r");
  if (!file.is_open()) file.refuse("not a readable TIFF file");
  return file;
}

Image read_volume(TiffFile const& file, TiffPages const& pages, TiffVolume const& volume,
                  std::optional<Int3> shape, LayersWanted const& wanted) {
  PageLayout const& layout = pages.layout;
  bool const imagej_stack = volume.slices > pages.count;
  Image image;
  image.shape = {layout.width, layout.height, volume.slices};
  require_shape(file.path(), image.shape, shape);
  image.format = describe(file, layout, volume.slices, imagej_stack);
  LayerRange const kept = note_layers(image, wanted);
  image.voxels = imagej_stack ? read_imagej_stack(file, layout, volume.slices, kept)
                              : read_pages(file, layout, volume.slice_of_page, kept);
  if (TIFFSetDirectory(file.get(), 0) == 1) note_tiff_edges(image, file);
  return image;
}

}  // namespace

Image read_tiff_image(fs::path const& path, std::optional<Int3> shape, LayersWanted const& wanted) {
  TiffFile const file = open_to_read(path);
  TiffPages const pages = look_through_pages(file, readable_file_size(path));
  return read_volume(file, pages, volume_of(file, pages, false), shape, wanted);
}

SliceFile read_tiff_slice(fs::path const& path) {
  TiffFile const file = open_to_read(path);
  TiffPages const pages = look_through_pages(file, readable_file_size(path));
  TiffVolume const volume = volume_of(file, pages, true);
  return {read_volume(file, pages, volume, std::nullopt, {}), pages.layout.values(), volume.place};
}

}  // namespace tessera

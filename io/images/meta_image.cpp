// SPDX-License-Identifier: MIT
// MetaImage (.mha, .mhd). MetaIO, which VTK and ITK read it with, compares no checksum, takes a
// MET_LONG for 4 bytes whatever the file holds, and does not see voxels that are left over.
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/meta_header.hpp"
#include "io/images/voxel_edges.hpp"
#include "io/images/voxel_text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// As wide as MET_LONG makes the voxels fill their files.
std::size_t bytes_of_long(MetaHeader const& header, std::size_t voxels, fs::path const& path) {
  std::uintmax_t bytes = 0;
  for (fs::path const& file : header.files) {
    std::uintmax_t const size = readable_file_size(file);
    auto const skipped = static_cast<std::uintmax_t>(std::max<std::int64_t>(header.skipped, 0));
    bytes += size - std::min(size, skipped);
  }
  if (header.packing != Packing::none) {
    // Unpacked once more than it would take otherwise, but who writes longs?
    PackedBytes packed(header.files.front(), static_cast<std::uintmax_t>(header.skipped),
                       header.packing);
    packed.skip(4 * voxels);
    return packed.at_end() ? 4 : 8;
  }
  if (header.skipped < 0) {
    throw BadInput(
        fmt::format("{}: MET_LONG has 4 bytes or 8, and with HeaderSize = -1 nothing "
                    "tells which: say MET_INT or MET_LONG_LONG",
                    path.string()));
  }
  return bytes == 8 * voxels ? 8 : 4;
}

Voxels voxels_of_meta(MetaHeader const& header, std::size_t voxels, fs::path const& path) {
  auto const begin_in = [&](fs::path const& file, std::size_t bytes) {
    if (header.skipped >= 0) return static_cast<std::uintmax_t>(header.skipped);
    std::uintmax_t const size = readable_file_size(file);
    return size - std::min<std::uintmax_t>(size, bytes);
  };
  if (header.text)
    return voxels_in_words(header.type, voxels,
                           bytes_from(header.files.front(), begin_in(header.files.front(), 0)),
                           path);
  std::size_t const of_file = voxels / header.files.size() * header.type.bytes;
  auto file = header.files.begin();
  std::optional<PackedBytes> bytes;
  std::size_t left = 0;  // of the file
  return read_elements(
      header.type, voxels,
      [&](void* to, std::size_t wanted) {
        auto* at = static_cast<char*>(to);
        while (wanted > 0) {
          if (!bytes) {
            bytes.emplace(*file, begin_in(*file, of_file), header.packing);
            left = of_file;
          }
          std::size_t const now = std::min(wanted, left);
          bytes->read(at, now);
          at += now;
          wanted -= now;
          left -= now;
          if (left > 0) continue;
          bytes->require_end();
          bytes.reset();
          ++file;
        }
      },
      path);
}

}  // namespace

Image read_meta_image(fs::path const& path, std::optional<Int3> shape) {
  MetaHeader header = read_meta_header(path);
  Image image;
  image.shape = header.shape;
  image.files = header.files;
  if (header.files.front() != path) image.files.insert(image.files.begin(), path);
  std::size_t const voxels = checked_volume(image.shape, path);
  require_shape(path, image.shape, shape);
  if (!header.text) require_room_in_files(path, image.files, voxels * header.type.bytes);
  if (header.long_is_4_or_8 && !header.text)
    header.type.bytes = bytes_of_long(header, voxels, path);
  image.voxels = voxels_of_meta(header, voxels, path);
  image.format = fmt::format("MetaImage, {}", name_of(header.type));
  constexpr double millimetre = 1e-3;
  note_edges(image, {.values = header.spacing,
                     .where = "ElementSpacing",
                     .unit_m = {},
                     .usual_unit_m = millimetre,
                     .unknown_unit = {}});
  return image;
}

}  // namespace tessera

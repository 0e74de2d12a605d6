// SPDX-License-Identifier: MIT
#include "io/image.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "io/image_readers.hpp"
#include "io/sha256.hpp"
#include "io/unread_formats.hpp"
#include "io/voxel_axes.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

enum class Format { raw, gzipped_raw, tiff, npy, npz };

struct Signature {
  std::string_view magic;  ///< the first bytes of the file
  Format format;
};
constexpr std::array signatures{
    Signature{"II*\0"sv, Format::tiff},           Signature{"MM\0*"sv, Format::tiff},
    Signature{"II+\0"sv, Format::tiff},           Signature{"MM\0+"sv, Format::tiff},
    Signature{"\x93NUMPY"sv, Format::npy},        Signature{"PK\x03\x04"sv, Format::npz},
    Signature{"\x1f\x8b"sv, Format::gzipped_raw},
};

Format format_of(fs::path const& path, ReadOptions const& options) {
  std::string start(16, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  std::optional<Format> found;
  for (Signature const& known : signatures) {
    if (start.starts_with(known.magic)) found = known.format;
  }
  // Who gives the length of a header has looked into the file and wants the bytes after it as they
  // are.
  if (options.header_bytes != 0) return found == Format::gzipped_raw ? *found : Format::raw;
  if (!found || found == Format::gzipped_raw) {
    if (auto const name = unread_format(path)) {
      throw BadInput(fmt::format("{}: {} images are not read; convert it to TIFF, .npy or raw",
                                 path.string(), *name));
    }
  }
  if (found) return *found;
  std::string const extension = path.extension().string();
  for (std::string_view const promised : {".tif", ".tiff", ".npy", ".npz", ".gz", ".zip"}) {
    if (extension == promised) {
      throw BadInput(
          fmt::format("{}: its first bytes are not those of a {} file", path.string(), promised));
    }
  }
  return Format::raw;
}

bool stands_for_slices(fs::path const& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return true;
  return path.filename().string().find('*') != std::string::npos && !fs::exists(path, ignored);
}

Image read_file(fs::path const& path, ReadOptions const& options, std::optional<Int3> shape) {
  ReadOptions raw_options = options;
  raw_options.shape = shape;
  readable_file_size(path);
  Format const format = format_of(path, options);
  switch (format) {
    case Format::tiff:
      return read_tiff_image(path, shape);
    case Format::npy:
      return read_npy_image(path, shape);
    case Format::npz:
      return read_npz_image(path, shape);
    case Format::raw:
    case Format::gzipped_raw:
      break;
  }
  return read_raw_image(path, raw_options, format == Format::gzipped_raw);
}

}  // namespace

void require_shape(fs::path const& path, Int3 found, std::optional<Int3> expected) {
  if (!expected || found == *expected) return;
  throw BadInput(fmt::format("{}: its shape is {} x {} x {}, but {} x {} x {} was given",
                             path.string(), found.x, found.y, found.z, expected->x, expected->y,
                             expected->z));
}

std::uintmax_t readable_file_size(fs::path const& path) {
  std::error_code failure;
  auto const status = fs::status(path, failure);
  if (!fs::exists(status)) throw BadInput(fmt::format("{}: no such file", path.string()));
  if (!fs::is_regular_file(status))
    throw BadInput(fmt::format("{}: not a regular file", path.string()));
  if (!std::ifstream(path, std::ios::binary))
    throw BadInput(fmt::format("{}: no permission to read it", path.string()));
  std::uintmax_t const size = fs::file_size(path, failure);
  if (failure) throw BadInput(fmt::format("{}: {}", path.string(), failure.message()));
  if (size == 0) throw BadInput(fmt::format("{}: the file is empty", path.string()));
  return size;
}

Image read_image(fs::path const& path, ReadOptions const& options) {
  std::optional<Int3> shape;
  if (options.shape) shape = shape_in_file(*options.shape, options.axes);
  try {
    std::vector<fs::path> files{path};
    Image image;
    if (stands_for_slices(path)) {
      files = find_slices(path);
      image = read_slices(files, shape);
    } else {
      image = read_file(path, options, shape);
    }
    image.path = path;
    image.said_by = options.said_by;
    reorder_axes(image, options.axes);
    if (options.crop) crop_image(image, *options.crop);
    image.sha256 = sha256_of_files(files);
    return image;
  } catch (std::bad_alloc const&) {
    throw EnvironmentError(fmt::format("{}: not enough memory for its voxels", path.string()));
  } catch (std::length_error const&) {
    throw EnvironmentError(fmt::format("{}: not enough memory for its voxels", path.string()));
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "io/images/image.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "base/errors.hpp"
#include "io/images/image_format.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/voxel_axes.hpp"
#include "io/sha256.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool stands_for_slices(fs::path const& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return true;
  return path.filename().string().find('*') != std::string::npos && !fs::exists(path, ignored);
}

/// In these, a name chooses among several arrays.
bool has_names(ImageFormat format) {
  return format == ImageFormat::npz || format == ImageFormat::hdf5 ||
         format == ImageFormat::netcdf || format == ImageFormat::image_data;
}

Image read_file(fs::path const& path, ReadOptions const& options, std::optional<Int3> shape) {
  ReadOptions raw_options = options;
  raw_options.shape = shape;
  readable_file_size(path);
  ImageFormat const format = format_of(path, options);
  if (!options.dataset.empty() && !has_names(format)) {
    throw BadInput(
        fmt::format("{}: it has no arrays with names: expected an HDF5, NetCDF, .npz or .vti "
                    "file to choose '{}' from",
                    path.string(), options.dataset));
  }
  switch (format) {
    case ImageFormat::tiff:
      return read_tiff_image(path, shape, options.layers);
    case ImageFormat::npy:
      return read_npy_image(path, shape, options.layers);
    case ImageFormat::npz:
      return read_npz_image(path, options.dataset, shape);
    case ImageFormat::nrrd:
      return read_nrrd_image(path, shape);
    case ImageFormat::hdf5:
      return read_hdf5_image(path, options.dataset, shape, options.layers);
    case ImageFormat::netcdf:
      return read_netcdf_image(path, options.dataset, shape);
    case ImageFormat::meta_image:
      return read_meta_image(path, shape);
    case ImageFormat::image_data:
      return read_vtk_image_data(path, options.dataset, shape);
    case ImageFormat::dicom:
      return read_dicom_series({path}, shape);
    case ImageFormat::png:
    case ImageFormat::bmp:
      return read_slices({path}, shape, options.layers);
    case ImageFormat::raw:
    case ImageFormat::gzipped_raw:
      break;
  }
  return read_raw_image(path, raw_options, format == ImageFormat::gzipped_raw);
}

/// The layers of the file that become the image, or those that are wanted of it.
LayersWanted layers_of_file(ReadOptions const& options) {
  if (!options.crop) return options.layers;
  return [&options](std::int64_t layers) -> LayerRange {
    auto const [lower, upper] = std::pair(options.crop->lower.z, options.crop->upper.z);
    if (lower < 0 || lower >= upper || upper > layers) return {0, layers};  // refused later
    LayerRange const all{0, upper - lower};
    LayerRange const wanted = options.layers ? options.layers(all.upper) : all;
    return {lower + wanted.lower, lower + wanted.upper};
  };
}

/// A folder, or a pattern.
Image read_several(fs::path const& path, std::optional<Int3> shape, LayersWanted const& wanted) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    auto const series = find_dicom_files(path);
    if (!series.empty()) return read_dicom_series(series, shape);
  }
  return read_slices(find_slices(path), shape, wanted);
}

}  // namespace

LayerRange note_layers(Image& image, LayersWanted const& wanted) {
  if (!wanted) return {0, image.shape.z};
  image.layers = wanted(image.shape.z);
  return *image.layers;
}

bool reads_in_parts(fs::path const& path, ReadOptions const& options) {
  if (options.axes != "xyz") return false;
  if (stands_for_slices(path)) {
    std::error_code ignored;
    return !fs::is_directory(path, ignored) || find_dicom_files(path).empty();
  }
  readable_file_size(path);
  ImageFormat const format = format_of(path, options);
  return format == ImageFormat::raw || format == ImageFormat::tiff || format == ImageFormat::hdf5 ||
         (format == ImageFormat::npy && npy_has_layers(path));
}

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

void require_room_in_files(fs::path const& path, std::vector<fs::path> const& files,
                           std::size_t bytes) {
  constexpr std::uintmax_t densest = 1100;  // deflate packs zeros to 1/1032
  std::uintmax_t stored = 0;
  for (fs::path const& file : files) stored += readable_file_size(file);
  if (bytes / densest <= stored) return;
  throw BadInput(fmt::format("{}: truncated: {} bytes cannot hold its {} bytes of voxels",
                             path.string(), stored, bytes));
}

Image read_image(fs::path const& path, ReadOptions const& options) {
  std::optional<Int3> shape;
  if (options.shape) shape = shape_in_file(*options.shape, options.axes);
  try {
    ReadOptions in_file = options;
    bool const in_parts = (options.layers || options.crop) && reads_in_parts(path, options);
    in_file.layers = in_parts ? layers_of_file(options) : LayersWanted();
    // Hashing a file takes as long as reading it.
    std::optional<HashBeside> hash;
    std::error_code ignored;
    if (!options.layers && fs::is_regular_file(path, ignored)) hash.emplace(path);
    Image image = stands_for_slices(path) ? read_several(path, shape, in_file.layers)
                                          : read_file(path, in_file, shape);
    image.path = path;
    if (image.files.empty()) image.files = {path};
    image.said_by = options.said_by;
    reorder_axes(image, options.axes);
    if (options.crop) crop_image(image, *options.crop);
    if (!options.layers) {
      image.layers.reset();  // all of the crop are here
      bool const is_one_file = image.files == std::vector{path};
      image.sha256 = hash && is_one_file ? hash->take() : sha256_of_files(image.files);
    } else if (!image.layers) {
      keep_layers(image, options.layers(image.shape.z));
    }
    return image;
  } catch (std::bad_alloc const&) {
    throw EnvironmentError(fmt::format("{}: not enough memory for its voxels", path.string()));
  } catch (std::length_error const&) {
    throw EnvironmentError(fmt::format("{}: not enough memory for its voxels", path.string()));
  }
}

std::optional<std::string> other_voxel_size(Image const& image, double metres) {
  if (!image.edges) return std::nullopt;
  auto const& [x, y, z] = image.edges->metres;
  constexpr double digits = 1e-3;
  auto const alike = [&](double edge) { return std::abs(edge - metres) <= digits * metres; };
  if (alike(x) && alike(y) && alike(z)) return std::nullopt;
  return fmt::format("{} says voxels of {:.6g} x {:.6g} x {:.6g} um ({})", image.path.string(),
                     x * 1e6, y * 1e6, z * 1e6, image.edges->said_by);
}

}  // namespace tessera

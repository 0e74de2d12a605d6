// SPDX-License-Identifier: MIT
// Variables of classic NetCDF files as images. Those of version 4 are HDF5
// (io/images/hdf5/hdf5_image.cpp).
#include <fmt/format.h>

#include <string>

#include "io/images/element_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/netcdf_module.hpp"
#include "io/images/voxel_edges.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Voxels read_values(fs::path const& path, NetcdfFile const& file, std::size_t variable,
                   std::size_t count) {
  ElementType const type = file.type_of(variable);
  Voxels voxels = empty_voxels(type);
  bool const held_as_stored = type.bytes < 8 || type.kind == ElementType::Kind::real;
  if (held_as_stored) {
    std::visit(
        [&](auto& values) {
          values.resize(count);
          file.read(variable, values.data());
        },
        voxels);
    return voxels;
  }
  std::vector<std::byte> wide(count * type.bytes);
  file.read(variable, wide.data());
  return voxels_from(type, count, wide.data(), path);
}

/// What stands where nothing was written and the variable names no other value. (Unidata, netcdf.h;
/// of bytes every value is as good as any.)
std::optional<double> fill_of(ElementType type) {
  using Kind = ElementType::Kind;
  bool const fits_no_image = type.bytes == 8 && type.kind != Kind::real;
  if (type.bytes == 1 || fits_no_image) return std::nullopt;
  if (type.kind == Kind::real)
    return type.bytes == 4 ? 9.9692099683868690e+36F : 9.9692099683868690e+36;
  if (type.kind == Kind::signed_integer) return type.bytes == 2 ? -32767.0 : -2147483647.0;
  return type.bytes == 2 ? 65535.0 : 4294967295.0;
}

}  // namespace

Image read_netcdf_image(fs::path const& path, std::string const& array, std::optional<Int3> shape) {
  auto const file = open_netcdf(path);
  StoredArrays const& arrays = file->arrays();
  StoredVolume const& chosen = choose_volume(path, arrays, array);
  auto const variable = static_cast<std::size_t>(&chosen - arrays.volumes.data());
  ElementType const type = file->type_of(variable);
  Image image;
  image.shape = shape_of(path, chosen);
  std::size_t const voxels = checked_volume(image.shape, path);
  require_shape(path, image.shape, shape);
  require_room_in_files(path, {path}, voxels * type.bytes);
  image.format = fmt::format("classic NetCDF, {}, {}", printable(chosen.name), name_of(type));
  image.voxels = read_values(path, *file, variable, voxels);
  Attributes const attributes = file->attributes_of(variable);
  StoredMeaning meaning = meaning_in(path, attributes, type);
  if (auto const fill = fill_of(type); fill && meaning.missing.empty())
    meaning.missing.push_back(*fill);
  apply_meaning(image, meaning);
  if (!note_edges_in(image, attributes)) note_edges_in(image, file->attributes_of({}));
  return image;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Variables of classic NetCDF files as images. Those of version 4 are HDF5 (io/hdf5_image.cpp).
#include <fmt/format.h>

#include <string>

#include "io/element_type.hpp"
#include "io/image_readers.hpp"
#include "io/netcdf_module.hpp"
#include "io/text.hpp"
#include "io/voxel_edges.hpp"

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

}  // namespace

Image read_netcdf_image(fs::path const& path, std::string const& array, std::optional<Int3> shape) {
  auto const file = open_netcdf(path);
  StoredVolume const& chosen = choose_volume(path, file->volumes(), array);
  auto const variable = static_cast<std::size_t>(&chosen - file->volumes().data());
  ElementType const type = file->type_of(variable);
  Image image;
  image.shape = shape_of(path, chosen);
  std::size_t const voxels = checked_volume(image.shape, path);
  require_shape(path, image.shape, shape);
  require_room_in_files(path, {path}, voxels * type.bytes);
  image.format = fmt::format("classic NetCDF, {}, {}", printable(chosen.name), name_of(type));
  image.voxels = read_values(path, *file, variable, voxels);
  for (std::optional<std::size_t> const where : {std::optional{variable}, {}}) {
    if (auto const said = edges_in(file->attributes_of(where))) {
      note_edges(image, *said);
      break;
    }
  }
  return image;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// A voxel is a cell, and yet the fields are written as point data, on the centres of the voxels:
// ParaView 5.11 (Debian 12) reads cell data of VTKHDF images with the extents of the points and
// fails. It also crashes on images that are one point thin along y or z; so along an axis of one
// voxel there are two points, on the faces of the voxel, with the same values.

#include "io/vtkhdf.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "io/compressed_chunks.hpp"
#include "io/hdf5_handle.hpp"
#include "io/vtkhdf_file.hpp"

namespace tessera {
namespace {

/// Arrays are cut in cubes of this many voxels an edge, each compressed by itself.
constexpr hsize_t chunk_edge = 64;

Int3 points_of(Int3 shape) {
  Int3 points;
  for (Axis const axis : all_axes) points[axis] = std::max<std::int64_t>(shape[axis], 2);
  return points;
}

/// Extents as HDF5 wants them, slowest axis first; components follow unless there is only one.
std::vector<hsize_t> extents_of(Int3 shape, int components) {
  std::vector<hsize_t> extents;
  for (auto const n : {shape.z, shape.y, shape.x}) extents.push_back(static_cast<hsize_t>(n));
  if (components > 1) extents.push_back(static_cast<hsize_t>(components));
  return extents;
}

std::vector<hsize_t> chunk_of(std::vector<hsize_t> extents) {
  for (hsize_t& extent : extents) extent = std::min(extent, chunk_edge);
  return extents;
}

Hdf5Handle make_layout(std::vector<hsize_t> const& extents, std::size_t bytes) {
  Hdf5Handle layout{H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list"};
  if (bytes > small_bytes) {
    std::vector<hsize_t> const chunk = chunk_of(extents);
    hdf5_checked(H5Pset_chunk(layout, static_cast<int>(chunk.size()), chunk.data()), "set chunks");
    hdf5_checked(H5Pset_shuffle(layout), "set the shuffle filter");
    hdf5_checked(H5Pset_deflate(layout, fastest_deflate), "set the compression");
  }
  return layout;
}

bool is_little_endian() { return std::endian::native == std::endian::little; }

void require_size(Int3 shape, Field const& field) {
  // Without HDF5's types: they start the library, which QuietHdf5 is to be ahead of.
  std::size_t const count = std::visit([](auto values) { return values.size(); }, field.values);
  if (field.components >= 1 && std::cmp_equal(count, volume(shape) * field.components)) return;
  throw std::invalid_argument(fmt::format("field {}: {} values of {} components for {} voxels",
                                          field.name, count, field.components, volume(shape)));
}

template <class T>
void write_layers(hid_t group, Int3 shape, FieldLayers const& field, Layers<T> const& layers) {
  ValueType const type = value_type(T{});
  std::size_t const bytes = static_cast<std::size_t>(volume(shape) * field.components) * type.bytes;
  Int3 const points = points_of(shape);
  auto const voxel_extents = extents_of(shape, field.components);
  auto const point_extents = extents_of(points, field.components);
  Hdf5Handle const in_memory = make_space(voxel_extents);
  Hdf5Handle const in_file = make_space(point_extents);
  Hdf5Handle const layout = make_layout(point_extents, bytes);
  Hdf5Handle dataset{
      H5Dcreate2(group, field.name.c_str(), type.file, in_file, H5P_DEFAULT, layout, H5P_DEFAULT),
      H5Dclose, "make a data set"};
  if (bytes > small_bytes && point_extents == voxel_extents && is_little_endian()) {
    for (hsize_t z = 0; z < point_extents[0]; z += chunk_edge) {
      hsize_t const end = std::min(z + chunk_edge, point_extents[0]);
      auto const values = layers(static_cast<std::int64_t>(z), static_cast<std::int64_t>(end));
      write_compressed_chunks(dataset, point_extents, chunk_of(point_extents), type.bytes,
                              std::as_bytes(values).data(), z);
    }
    dataset.close("close a data set");
    return;
  }
  auto const values = layers(0, shape.z);
  // One copy, but two along each axis of one voxel.
  std::vector<hsize_t> at(point_extents.size(), 0);
  for (at[0] = 0; at[0] < point_extents[0]; at[0] += voxel_extents[0]) {
    for (at[1] = 0; at[1] < point_extents[1]; at[1] += voxel_extents[1]) {
      for (at[2] = 0; at[2] < point_extents[2]; at[2] += voxel_extents[2]) {
        hdf5_checked(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, at.data(), nullptr,
                                         voxel_extents.data(), nullptr),
                     "select a part of a data set");
        hdf5_checked(H5Dwrite(dataset, type.memory, in_memory, in_file, H5P_DEFAULT, values.data()),
                     "write a data set");
      }
    }
  }
  dataset.close("close a data set");
}

void write_image(hid_t root, Int3 shape, double spacing, std::span<FieldLayers const> fields) {
  PointGrid const grid = point_grid(shape, spacing);
  std::array<std::int64_t, 6> whole_extent{};
  for (Axis const axis : all_axes) whole_extent[2 * index_of(axis) + 1] = grid.points[axis] - 1;
  write_attribute(root, "WholeExtent", whole_extent);
  write_attribute(root, "Origin", grid.origin);
  write_attribute(root, "Spacing", std::array<double, 3>{spacing, spacing, spacing});
  write_attribute(root, "Direction", std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  Hdf5Handle const group = make_group(root, "PointData");
  for (FieldLayers const& field : fields) {
    std::visit([&](auto const& layers) { write_layers(group, shape, field, layers); },
               field.layers);
  }
}

}  // namespace

PointGrid point_grid(Int3 shape, double spacing_m) {
  PointGrid grid{.points = points_of(shape)};
  for (Axis const axis : all_axes)
    grid.origin[index_of(axis)] = shape[axis] == 1 ? 0 : spacing_m / 2;
  return grid;
}

void write_vtkhdf(std::filesystem::path const& path, Int3 shape, double spacing_m,
                  std::span<Field const> fields) {
  std::vector<FieldLayers> lazy;
  for (Field const& field : fields) {
    require_size(shape, field);
    lazy.push_back(layers_of(field, shape));
  }
  write_vtkhdf_layers(path, shape, spacing_m, lazy);
}

void write_vtkhdf_layers(std::filesystem::path const& path, Int3 shape, double spacing_m,
                         std::span<FieldLayers const> fields) {
  write_vtkhdf_file(path, "ImageData",
                    [&](hid_t root) { write_image(root, shape, spacing_m, fields); });
}

}  // namespace tessera

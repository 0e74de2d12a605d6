// SPDX-License-Identifier: MIT
// A voxel is a cell, and yet the fields are written as point data, on the centres of the voxels:
// ParaView 5.11 (Debian 12) reads cell data of VTKHDF images with the extents of the points and
// fails. It also crashes on images that are one point thin along y or z; so along an axis of one
// voxel there are two points, on the faces of the voxel, with the same values.

#include "io/fields/vtkhdf.hpp"

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

#include "io/fields/bricks.hpp"
#include "io/fields/compressed_chunks.hpp"
#include "io/fields/hdf5_room.hpp"
#include "io/fields/vtkhdf_file.hpp"
#include "io/hdf5_handle.hpp"

namespace tessera {
namespace {

constexpr hsize_t chunk_edge = Bricks::edge;

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
  // Without times equal fields give equal files, whenever they are written.
  hdf5_checked(H5Pset_obj_track_times(layout, false), "set a property");
  if (bytes > small_bytes) {
    std::vector<hsize_t> const chunk = chunk_of(extents);
    hdf5_checked(H5Pset_chunk(layout, static_cast<int>(chunk.size()), chunk.data()), "set chunks");
    hdf5_checked(H5Pset_shuffle(layout), "set the shuffle filter");
    hdf5_checked(H5Pset_deflate(layout, fastest_deflate), "set the compression");
  }
  return layout;
}

bool is_little_endian() { return std::endian::native == std::endian::little; }

std::size_t count_of(Field const& field) {
  // HDF5's types are avoided here: they would start the library before QuietHdf5 is there.
  return std::visit([](auto values) { return values.size(); }, field.values);
}

void require_size(Int3 shape, Field const& field) {
  std::size_t const count = count_of(field);
  if (field.components >= 1 && std::cmp_equal(count, volume(shape) * field.components)) return;
  throw std::invalid_argument(fmt::format("field {}: {} values of {} components for {} voxels",
                                          field.name, count, field.components, volume(shape)));
}

std::size_t voxel_bytes(Field const& field) {
  std::size_t const value =
      std::visit([]<class T>(std::span<T const>) { return sizeof(T); }, field.values);
  return static_cast<std::size_t>(field.components) * value;
}

std::size_t whole_bytes(Int3 shape, Field const& field) {
  return static_cast<std::size_t>(volume(shape)) * voxel_bytes(field);
}

/// Creates the data set of a field.
Hdf5Handle make_dataset(hid_t group, Int3 shape, Field const& field) {
  auto const extents = extents_of(points_of(shape), field.components);
  Hdf5Handle const layout = make_layout(extents, whole_bytes(shape, field));
  return {H5Dcreate2(group, field.name.c_str(), raw_values(field).file_type, make_space(extents),
                     H5P_DEFAULT, layout, H5P_DEFAULT),
          H5Dclose, "make a data set"};
}

void write_bricks(hid_t dataset, Int3 shape, Field const& field) {
  auto const extents = extents_of(shape, field.components);
  std::size_t const element = voxel_bytes(field) / static_cast<std::size_t>(field.components);
  auto const* const values = static_cast<std::byte const*>(raw_values(field).data);
  write_compressed_chunks(dataset, extents, chunk_of(extents), element, values);
}

void write_whole(hid_t dataset, Int3 shape, Field const& field) {
  auto const voxel_extents = extents_of(shape, field.components);
  auto const point_extents = extents_of(points_of(shape), field.components);
  Hdf5Handle const in_memory = make_space(voxel_extents);
  Hdf5Handle const in_file = make_space(point_extents);
  RawValues const values = raw_values(field);
  // The voxels are written once, and twice along each axis of one voxel.
  std::vector<hsize_t> at(point_extents.size(), 0);
  for (at[0] = 0; at[0] < point_extents[0]; at[0] += voxel_extents[0]) {
    for (at[1] = 0; at[1] < point_extents[1]; at[1] += voxel_extents[1]) {
      for (at[2] = 0; at[2] < point_extents[2]; at[2] += voxel_extents[2]) {
        hdf5_checked(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, at.data(), nullptr,
                                         voxel_extents.data(), nullptr),
                     "select a part of a data set");
        hdf5_checked(
            H5Dwrite(dataset, values.memory_type, in_memory, in_file, H5P_DEFAULT, values.data),
            "write a data set");
      }
    }
  }
}

/// Writes the grid and its fields; of fields that are cut into chunks only the data set is created,
/// for fill_cut(data set, number of the field) to fill.
template <class FillCut>
void write_image(hid_t root, Int3 shape, Spacing const& spacing, std::span<Field const> fields,
                 FillCut const& fill_cut) {
  PointGrid const grid = point_grid(shape, spacing);
  std::array<std::int64_t, 6> whole_extent{};
  for (Axis const axis : all_axes) whole_extent[2 * index_of(axis) + 1] = grid.points[axis] - 1;
  write_attribute(root, "WholeExtent", whole_extent);
  write_attribute(root, "Origin", grid.origin);
  write_attribute(root, "Spacing", spacing.edges);
  write_attribute(root, "Direction", std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  Hdf5Handle const group = make_group(root, "PointData");
  for (std::size_t f = 0; f < fields.size(); ++f) {
    Hdf5Handle dataset = make_dataset(group, shape, fields[f]);
    if (is_cut(shape, fields[f])) {
      fill_cut(dataset, f);
    } else {
      write_whole(dataset, shape, fields[f]);
    }
    dataset.close("close a data set");
  }
}

}  // namespace

PointGrid point_grid(Int3 shape, Spacing const& spacing) {
  PointGrid grid{.points = points_of(shape)};
  for (Axis const axis : all_axes)
    grid.origin[index_of(axis)] = shape[axis] == 1 ? 0 : spacing.edges[index_of(axis)] / 2;
  return grid;
}

bool is_cut(Int3 shape, Field const& field) {
  return whole_bytes(shape, field) > small_bytes && points_of(shape) == shape && is_little_endian();
}

std::vector<std::byte> packed_brick(Int3 shape, Int3 extents, Field const& field,
                                    std::int64_t voxel) {
  auto const bytes = std::visit([](auto values) { return std::as_bytes(values); }, field.values);
  std::size_t const of_voxel = voxel_bytes(field);
  return packed_chunk(
      extents_of(extents, field.components), chunk_of(extents_of(shape, field.components)),
      of_voxel / static_cast<std::size_t>(field.components),
      bytes.subspan(static_cast<std::size_t>(voxel) * of_voxel, whole_bytes(extents, field))
          .data());
}

void write_vtkhdf(std::filesystem::path const& path, Int3 shape, Spacing const& spacing,
                  std::span<Field const> fields) {
  for (Field const& field : fields) require_size(shape, field);
  write_vtkhdf_file(path, "ImageData", [&](hid_t root) {
    write_image(root, shape, spacing, fields,
                [&](hid_t dataset, std::size_t f) { write_bricks(dataset, shape, fields[f]); });
  });
}

BrickPlaces lay_out_vtkhdf(std::filesystem::path const& file, Int3 shape, Spacing const& spacing,
                           std::span<Field const> fields, BrickBytes const& bytes) {
  Bricks const bricks(shape);
  BrickPlaces places(fields.size());
  QuietHdf5 const quiet;
  Hdf5Room room;
  make_vtkhdf_file(file, room.access(), "ImageData", [&](hid_t root) {
    write_image(root, shape, spacing, fields, [&](hid_t dataset, std::size_t f) {
      for (std::int64_t b = 0; b < bricks.count(); ++b) {
        std::vector<hsize_t> begin = extents_of(bricks.lower(b), fields[f].components);
        if (fields[f].components > 1) begin.back() = 0;
        places[f].push_back(room.make(
            dataset, begin, static_cast<std::size_t>(bytes[f][static_cast<std::size_t>(b)])));
      }
    });
  });
  return places;
}

}  // namespace tessera

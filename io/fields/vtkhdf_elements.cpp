// SPDX-License-Identifier: MIT
#include "io/fields/vtkhdf_elements.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "io/fields/vtkhdf_file.hpp"

namespace tessera {
namespace {

constexpr std::uint8_t lagrange_quadrilateral = 70;
constexpr std::uint8_t lagrange_hexahedron = 72;
/// Values of an array that are compressed together.
constexpr hsize_t chunk_values = hsize_t{1} << 18U;

Hdf5Handle layout_of(std::span<hsize_t const> extents, std::size_t bytes) {
  Hdf5Handle layout{H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list"};
  // Without times equal fields give equal files, whenever they are written.
  hdf5_checked(H5Pset_obj_track_times(layout, false), "set a property");
  if (bytes > small_bytes) {
    std::vector<hsize_t> chunk(extents.begin(), extents.end());
    chunk[0] = std::min(chunk[0], chunk_values);
    hdf5_checked(H5Pset_chunk(layout, static_cast<int>(chunk.size()), chunk.data()), "set chunks");
    hdf5_checked(H5Pset_shuffle(layout), "set the shuffle filter");
    hdf5_checked(H5Pset_deflate(layout, fastest_deflate), "set the compression");
  }
  return layout;
}

void write_array(hid_t group, std::string const& name, RawValues const& values,
                 std::size_t components) {
  std::vector<hsize_t> extents{values.count / components};
  if (components > 1) extents.push_back(components);
  Hdf5Handle dataset{H5Dcreate2(group, name.c_str(), values.file_type, make_space(extents),
                                H5P_DEFAULT, layout_of(extents, values.bytes), H5P_DEFAULT),
                     H5Dclose, "make a data set"};
  hdf5_checked(H5Dwrite(dataset, values.memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data),
               "write a data set");
  dataset.close("close a data set");
}

void write_whole_numbers(hid_t group, char const* name, std::span<std::int64_t const> values) {
  write_array(group, name,
              {H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), values.size(), values.size_bytes()},
              1);
}

void write_fields(hid_t root, char const* group_name, std::span<Field const> fields,
                  std::size_t places) {
  if (fields.empty()) return;
  Hdf5Handle const group = make_group(root, group_name);
  for (Field const& field : fields) {
    RawValues const values = raw_values(field);
    auto const components = static_cast<std::size_t>(field.components);
    if (field.components < 1 || values.count != places * components)
      throw std::invalid_argument(fmt::format("field {}: {} values of {} components for {} places",
                                              field.name, values.count, field.components, places));
    write_array(group, field.name, values, components);
  }
}

/// The points of each cell, in VTK's order, and where each cell's points begin.
struct Connections {
  std::vector<std::int64_t> points;
  std::vector<std::int64_t> offsets{0};

  explicit Connections(LagrangeCells const& cells) {
    std::map<int, std::vector<std::size_t>> orders;
    std::int64_t first = 0;
    for (std::uint8_t const degree : cells.degree) {
      auto& order = orders[degree];
      if (order.empty()) order = lagrange_order(cells.dimension, degree);
      for (std::size_t const place : order)
        points.push_back(first + static_cast<std::int64_t>(place));
      first += static_cast<std::int64_t>(order.size());
      offsets.push_back(first);
    }
  }
};

void write_cells(hid_t root, LagrangeCells const& cells) {
  Connections const connections(cells);
  if (std::cmp_not_equal(connections.points.size(), cells.points.size())) {
    throw std::invalid_argument(fmt::format("{} points for cells that have {}", cells.points.size(),
                                            connections.points.size()));
  }
  auto const write_one = [&](char const* name, std::size_t value) {
    write_whole_numbers(root, name, std::array{static_cast<std::int64_t>(value)});
  };
  write_one("NumberOfPoints", cells.points.size());
  write_one("NumberOfCells", cells.degree.size());
  write_one("NumberOfConnectivityIds", connections.points.size());
  write_array(root, "Points",
              {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, cells.points.data(), 3 * cells.points.size(),
               3 * sizeof(double) * cells.points.size()},
              3);
  write_whole_numbers(root, "Connectivity", connections.points);
  write_whole_numbers(root, "Offsets", connections.offsets);
  std::vector<std::uint8_t> const types(
      cells.degree.size(), cells.dimension == 2 ? lagrange_quadrilateral : lagrange_hexahedron);
  write_array(root, "Types",
              {H5T_STD_U8LE, H5T_NATIVE_UINT8, types.data(), types.size(), types.size()}, 1);
}

}  // namespace

std::vector<std::size_t> lagrange_order(int dimension, int degree) {
  auto const n = static_cast<std::size_t>(degree);
  std::vector<std::size_t> order;
  order.reserve(LagrangeCells::points_of(dimension, degree));
  auto const add = [&](std::size_t i, std::size_t j, std::size_t k) {
    order.push_back(i + (n + 1) * (j + (n + 1) * k));
  };
  std::vector<std::size_t> const layers =
      dimension == 2 ? std::vector<std::size_t>{0} : std::vector<std::size_t>{0, n};
  for (std::size_t const k : layers) {
    add(0, 0, k);
    add(n, 0, k);
    add(n, n, k);
    add(0, n, k);
  }
  for (std::size_t const k : layers) {
    for (std::size_t i = 1; i < n; ++i) add(i, 0, k);
    for (std::size_t j = 1; j < n; ++j) add(n, j, k);
    for (std::size_t i = 1; i < n; ++i) add(i, n, k);
    for (std::size_t j = 1; j < n; ++j) add(0, j, k);
  }
  /// Calls add_point() for the inner points along two axes, the first fastest.
  auto const inside = [&](auto const& add_point) {
    for (std::size_t b = 1; b < n; ++b) {
      for (std::size_t a = 1; a < n; ++a) add_point(a, b);
    }
  };
  if (dimension == 2) {
    inside([&](std::size_t i, std::size_t j) { add(i, j, 0); });
    return order;
  }
  for (auto const& [i, j] : {std::pair{std::size_t{0}, std::size_t{0}}, {n, 0}, {n, n}, {0, n}}) {
    for (std::size_t k = 1; k < n; ++k) add(i, j, k);
  }
  for (std::size_t const i : layers) inside([&](std::size_t j, std::size_t k) { add(i, j, k); });
  for (std::size_t const j : layers) inside([&](std::size_t i, std::size_t k) { add(i, j, k); });
  for (std::size_t const k : layers) inside([&](std::size_t i, std::size_t j) { add(i, j, k); });
  for (std::size_t k = 1; k < n; ++k) inside([&](std::size_t i, std::size_t j) { add(i, j, k); });
  return order;
}

void write_vtkhdf_elements(std::filesystem::path const& path, LagrangeCells const& cells,
                           std::span<Field const> of_points, std::span<Field const> of_cells) {
  write_vtkhdf_file(path, "UnstructuredGrid", [&](hid_t root) {
    write_cells(root, cells);
    write_fields(root, "PointData", of_points, cells.points.size());
    write_fields(root, "CellData", of_cells, cells.degree.size());
  });
}

}  // namespace tessera

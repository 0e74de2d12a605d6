// SPDX-License-Identifier: MIT
// Fields on the voxels of an image, in VTK's own HDF5 format, which ParaView opens directly.
#pragma once

#include <array>
#include <filesystem>
#include <span>

#include "io/field.hpp"
#include "io/field_layers.hpp"
#include "lattice/box.hpp"

namespace tessera {

/// The points that the fields stand on.
struct PointGrid {
  Int3 points;
  std::array<double, 3> origin{};  ///< metres
};
PointGrid point_grid(Int3 shape, double spacing_m);

/// Writes fields on a box of `shape` voxels with edges of `spacing_m` metres as a VTKHDF ImageData
/// file (docs.vtk.org, "VTKHDF format specification", version 1.0), compressed unless small. The
/// fields are point data on the voxel centres, the first of which lies at half a voxel; an axis of
/// one voxel has two points, on its faces. ParaView 5.11 opens it by itself if the name ends in
/// ".hdf"; that ".vtkhdf" means the same only later versions know.
/// The file appears complete under its name or not at all. Throws EnvironmentError (folder not
/// writable, disk full) and std::invalid_argument (a field whose size does not fit the shape).
void write_vtkhdf(std::filesystem::path const& path, Int3 shape, double spacing_m,
                  std::span<Field const> fields);
/// The same file from layers, which are asked for field by field and, unless all are few, some tens
/// at a time, upwards.
void write_vtkhdf_layers(std::filesystem::path const& path, Int3 shape, double spacing_m,
                         std::span<FieldLayers const> fields);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Fields on the voxels of an image, in VTK's own HDF5 format, which ParaView opens directly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "io/fields/field.hpp"

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

// Several ranks write that file together, brick by brick (io/fields/bricks.hpp), if none of them
// has all values of a field.

/// Whether a field on such a box is cut in bricks; only those that are not large are whole.
bool is_cut(Int3 shape, Field const& field);
/// A brick of a field that is cut, as it stands in the file. `voxel`: where it begins in the
/// field's values; there it has them for itself.
std::vector<std::byte> packed_brick(Int3 shape, Int3 extents, Field const& field,
                                    std::int64_t voxel);

/// By field and brick; of fields that are not cut, nothing.
using BrickBytes = std::vector<std::vector<std::int64_t>>;
using BrickPlaces = std::vector<std::vector<std::uint64_t>>;
/// Makes the file but for the bricks, which will be so many bytes each, and says at which byte each
/// is to stand. Of fields that are cut no values are needed. Throws EnvironmentError.
BrickPlaces lay_out_vtkhdf(std::filesystem::path const& file, Int3 shape, double spacing_m,
                           std::span<Field const> fields, BrickBytes const& bytes);

}  // namespace tessera

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
PointGrid point_grid(Int3 shape, Spacing const& spacing);

/// Writes fields on a box of `shape` voxels of these edges as a VTKHDF ImageData
/// file (docs.vtk.org, "VTKHDF format specification", version 1.0), compressed unless small. The
/// fields are point data on the voxel centres, the first of which lies at half a voxel; an axis of
/// one voxel has two points, on its faces. ParaView 5.11 opens it by its name if that ends in
/// ".hdf"; only later versions know the ending ".vtkhdf". The file appears complete under its name
/// or not at all. Throws EnvironmentError (folder not writable, disk full) and
/// std::invalid_argument (a field whose size does not fit the shape).
void write_vtkhdf(std::filesystem::path const& path, Int3 shape, Spacing const& spacing,
                  std::span<Field const> fields);

// Several ranks write that file together, brick by brick (io/fields/bricks.hpp), if none of them
// has all values of a field.

/// Whether a field on such a box is cut into bricks; only small fields are whole.
bool is_cut(Int3 shape, Field const& field);
/// A brick of a field that is cut, as it stands in the file. `voxel`: where it begins in the
/// field's values, which are brick by brick.
std::vector<std::byte> packed_brick(Int3 shape, Int3 extents, Field const& field,
                                    std::int64_t voxel);

/// Numbers by field and brick; fields that are not cut have none.
using BrickBytes = std::vector<std::vector<std::int64_t>>;
using BrickPlaces = std::vector<std::vector<std::uint64_t>>;
/// Makes the file without the bricks, which will have so many bytes each, and returns the byte at
/// which each is to stand. Fields that are cut need no values. Throws EnvironmentError.
BrickPlaces lay_out_vtkhdf(std::filesystem::path const& file, Int3 shape, Spacing const& spacing,
                           std::span<Field const> fields, BrickBytes const& bytes);

}  // namespace tessera

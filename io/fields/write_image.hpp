// SPDX-License-Identifier: MIT
// Writes labelled images: generated geometries, and the solver's pores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/box.hpp"

namespace tessera {

/// Throws BadInput if write_image() does not know the extension, or cannot write it in this build.
void check_image_name(std::filesystem::path const& path);

/// Writes volume(shape) voxels, x fastest, in the format of the extension: a headerless .raw, an
/// array of NumPy (.npy), an uncompressed multi-page .tif or .tiff, or the array `im` of an .npz,
/// .vti or .vtkhdf, which have the size of a voxel as well. The file appears complete or not at
/// all. Throws BadInput for any other extension and EnvironmentError if it cannot be written.
void write_image(std::filesystem::path const& path, Int3 shape,
                 std::vector<std::uint8_t> const& voxels, double voxel_size_m = 1);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Labelled images out: generated geometries, and what the solver takes for pore.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "lattice/box.hpp"

namespace tessera {

/// Writes volume(shape) voxels, x fastest, as a headerless .raw or as an uncompressed multi-page
/// .tif or .tiff, chosen by the extension; the file appears complete or not at all. Throws BadInput
/// for any other extension and EnvironmentError if it cannot be written.
void write_image(std::filesystem::path const& path, Int3 shape,
                 std::vector<std::uint8_t> const& voxels);

}  // namespace tessera

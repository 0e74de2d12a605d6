// SPDX-License-Identifier: MIT
// Reorders the axes of an image in memory, and crops it. Not for use outside io/.
#pragma once

#include <string_view>

#include "io/images/image.hpp"

namespace tessera {

/// The shape in the axes of the file of an image that has `shape` along its own x, y, z. `axes`
/// names the image's axis for each axis of the file, fastest first. Throws BadInput if it is not a
/// permutation of "xyz".
Int3 shape_in_file(Int3 shape, std::string_view axes);

/// Reorders voxels that stand in the order of `axes` so that x is fastest, then y, then z;
/// image.shape and image.edges count along the axes of the file before and along x, y, z after.
void reorder_axes(Image& image, std::string_view axes);

/// Keeps the voxels lower <= (x, y, z) < upper; if only some layers are here, their part of the
/// box. Throws BadInput if the box is empty or leaves the image.
void crop_image(Image& image, Crop const& crop);

/// Keeps some layers of an image all of whose layers are here.
void keep_layers(Image& image, LayerRange layers);

}  // namespace tessera

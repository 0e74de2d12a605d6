// SPDX-License-Identifier: MIT
// A voxel image on a finer grid, with the surface as a staircase or smooth.
#pragma once

#include "geometry/geometry.hpp"

namespace tessera {

/// Each voxel as factor^3 voxels: the staircase taken literally.
Geometry repeated(Geometry const& image, int factor);

/// A smooth surface through the same voxels: the indicator of the pores smoothed by a Gaussian of
/// standard deviation `width` voxels, interpolated linearly at the centres of factor^3 voxels each,
/// and cut at the level that keeps the porosity (to 1e-5). Beyond sides that do not wrap around,
/// the image continues as its outermost voxels.
Geometry smoothed(Geometry const& image, int factor, double width = 1);

}  // namespace tessera

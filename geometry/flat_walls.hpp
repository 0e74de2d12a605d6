// SPDX-License-Identifier: MIT
// How well a count of voxels approximates the volume of the pores.
#pragma once

#include "geometry/geometry.hpp"

namespace tessera {

/// Standard deviation of the pores' volume over the count of pore voxels, from the unknown place of
/// their walls: each flat piece of wall, faces of voxels in one plane that share edges, lies
/// anywhere within half a voxel of where the voxels show it, independently of other pieces. In a
/// rock there are so many pieces that their errors cancel; in a straight tube each piece is as long
/// as the tube, and every layer has the same error. A side of the image that does not wrap around
/// is no wall. Walls in planes of the lattice that are no planes of faces, such as x + y = 3, have
/// correlated errors although their pieces are small: for these the estimate is too small. 0 if
/// there is no pore.
double pore_volume_doubt(Geometry const& image);

}  // namespace tessera

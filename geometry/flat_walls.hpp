// SPDX-License-Identifier: MIT
// How well a count of voxels tells the volume of the pores.
#pragma once

#include "geometry/geometry.hpp"

namespace tessera {

/// Standard deviation of the pores' volume over the count of pore voxels, by what their walls leave
/// open: each flat piece of wall, faces of voxels in one plane that share edges, lies anywhere
/// within half a voxel of where the voxels show it, and no piece tells of another. In a rock there
/// are so many pieces that their errors cancel; in a straight tube each piece is as long as the
/// tube, and the same error is made in every layer. A side of the image that does not wrap around
/// is no wall. Walls in planes of the lattice that are no planes of faces, such as x + y = 3, err
/// alike although their pieces are small: of these it says too little.
/// 0 if there is no pore.
double pore_volume_doubt(Geometry const& image);

}  // namespace tessera

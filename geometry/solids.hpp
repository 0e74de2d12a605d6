// SPDX-License-Identifier: MIT
// Solids with exact surfaces in a box of voxels: which voxels they fill, and where on a link
// between a pore and a solid voxel the wall lies.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "geometry/geometry.hpp"
#include "geometry/layer_range.hpp"
#include "geometry/surface.hpp"

namespace tessera {

struct SolidBody {
  SurfacePointer surface;
  std::uint8_t label = 1;
};

/// Makes the voxels solid whose centre lies in a body, and writes its label for each; where bodies
/// overlap the later one counts. Voxels outside of the bodies are not changed; labels of another
/// size than the box are set to 0 first. Returns how many voxels lie in each body. Throws BadInput
/// for a body whose bounding box does not meet the box of the voxels.
std::vector<std::int64_t> voxelise(std::span<SolidBody const> bodies, Geometry& geometry,
                                   std::vector<std::uint8_t>& labels);
/// Makes the voxels solid in some layers of a box of `shape` voxels: `own` and `labels` have only
/// these layers, and only their voxels are counted.
std::vector<std::int64_t> voxelise(std::span<SolidBody const> bodies, Int3 shape, LayerRange layers,
                                   Geometry& own, std::vector<std::uint8_t>& labels);

/// q of Bouzidi, Firdaouss, Lallemand (2001): the part of the link from the centre of pore voxel
/// `from` along `direction` (components -1, 0, 1) that lies before the wall, 1e-6 to 1. Where the
/// far end lies in no body (its solid is from an image only) q is 1/2: the wall is half-way, as in
/// simple bounce-back.
///
/// A link that leaves the box through a periodic face is also tested from the side where it enters,
/// for bodies without periodic_images().
double link_fraction(std::span<SolidBody const> bodies, Int3 from, Int3 direction, Int3 shape,
                     std::array<bool, 3> const& periodic);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Numbers of the voxels of a geometry that is spread over processes.
#pragma once

#include <cstdint>
#include <span>

#include "partition/lattice/voxel_numbers.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// All: the numbers of all voxels, for each process, of those of the own layers.
VoxelNumbers numbers_of_all(SpreadGeometry const& geometry, std::span<std::uint8_t const> own);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Numbers of the voxels of a geometry that is distributed over processes.
#pragma once

#include <cstdint>
#include <span>

#include "partition/lattice/voxel_numbers.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// All ranks: all-gather of the voxels' numbers, from the numbers of the own layers.
VoxelNumbers numbers_of_all(SpreadGeometry const& geometry, std::span<std::uint8_t const> own);

}  // namespace tessera

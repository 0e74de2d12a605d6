// SPDX-License-Identifier: MIT
// The shape of a block: a brick of 32 x 8 x 8 voxels. An x-row is one 32-bit mask, and what is
// summed or staged row by row counts on a square of rows.
#pragma once

#include <cstdint>

#include "base/box.hpp"
#include "base/host_device.hpp"

namespace tessera {

inline constexpr int row_voxels = 32;  ///< along x: the bits of a mask
inline constexpr int block_edge = 8;   ///< rows along y, and along z
inline constexpr int rows_per_block = block_edge * block_edge;
inline constexpr int voxels_per_block = row_voxels * rows_per_block;
inline constexpr Int3 block_shape{row_voxels, block_edge, block_edge};

/// How many blocks hold a box of voxels, along each axis.
constexpr Int3 blocks_in(Int3 shape) {
  Int3 grid;
  for (Axis a : all_axes) grid[a] = (shape[a] + block_shape[a] - 1) / block_shape[a];
  return grid;
}

/// Number of row (y, z) of a block, y fastest, and y and z of a row by its number.
TESSERA_HOST_DEVICE constexpr int row_index(int y, int z) { return y + block_edge * z; }
TESSERA_HOST_DEVICE constexpr std::uint32_t y_of_row(std::uint32_t row) { return row % block_edge; }
TESSERA_HOST_DEVICE constexpr std::uint32_t z_of_row(std::uint32_t row) { return row / block_edge; }

/// A block and the 26 around it, x fastest: the block itself is in the middle.
inline constexpr int blocks_around = 3 * 3 * 3;
inline constexpr int block_itself = blocks_around / 2;

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Small numbers of all voxels of a box, of boundary conditions for example. Most blocks of 32 x 8 x
// 8 voxels have one or two different ones: each takes as few bits a voxel as tell its own apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"

namespace tessera {

class VoxelNumbers {
 public:
  /// Blocks along x, then y, then z: what some layers of blocks have, and the layers above have
  /// behind it, is what all have.
  struct Packed {
    std::vector<std::uint8_t> bits;   ///< of a voxel, by block: 0, 1, 2, 4 or 8
    std::vector<std::uint8_t> bytes;  ///< of the blocks: what there is, and which of it by voxel
  };

  /// None.
  VoxelNumbers() = default;
  /// x fastest.
  VoxelNumbers(Int3 shape, std::span<std::uint8_t const> numbers)
      : VoxelNumbers(shape, pack(shape, numbers)) {}
  VoxelNumbers(Int3 shape, Packed packed);

  static Packed pack(Int3 shape, std::span<std::uint8_t const> numbers);

  bool empty() const { return packed_.bits.empty(); }
  std::uint8_t at(Int3 voxel) const;
  /// Of memory.
  std::size_t bytes() const {
    return packed_.bits.size() + packed_.bytes.size() + sizeof(std::size_t) * begins_.size();
  }

 private:
  Int3 grid_;  ///< blocks along the axes
  Packed packed_;
  std::vector<std::size_t> begins_;  ///< in the bytes, by block
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Small numbers of all voxels of a box, of boundary conditions for example. Most blocks of 32 x 8 x
// 8 voxels have one or two different ones: each block takes as few bits a voxel as distinguish its
// own numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"

namespace tessera {

class VoxelNumbers {
 public:
  /// The packed numbers of blocks along x, then y, then z: those of some layers of blocks, followed
  /// by those of the layers above, are those of all.
  struct Packed {
    std::vector<std::uint8_t> bits;  ///< of a voxel, by block: 0, 1, 2, 4 or 8
    std::vector<std::uint8_t>
        bytes;  ///< of the blocks: the different numbers, and which one by voxel
  };

  /// No voxels.
  VoxelNumbers() = default;
  /// Packs numbers of voxels, x fastest.
  VoxelNumbers(Int3 shape, std::span<std::uint8_t const> numbers)
      : VoxelNumbers(shape, pack(shape, numbers)) {}
  VoxelNumbers(Int3 shape, Packed packed);

  static Packed pack(Int3 shape, std::span<std::uint8_t const> numbers);

  bool empty() const { return packed_.bits.empty(); }
  std::uint8_t at(Int3 voxel) const;
  /// Bytes of main memory.
  std::size_t bytes() const {
    return packed_.bits.size() + packed_.bytes.size() + sizeof(std::size_t) * begins_.size();
  }

 private:
  Int3 grid_;  ///< blocks along the axes
  Packed packed_;
  std::vector<std::size_t> begins_;  ///< in the bytes, by block
};

}  // namespace tessera

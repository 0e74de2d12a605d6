// SPDX-License-Identifier: MIT
#include "partition/lattice/voxel_numbers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "partition/lattice/block_shape.hpp"

namespace tessera {
namespace {

constexpr unsigned byte_bits = 8;
using BlockNumbers = std::array<std::uint8_t, voxels_per_block>;

/// Where a voxel stands in its block.
std::size_t place_in_block(Int3 voxel) {
  std::int64_t const row = row_index(static_cast<int>(voxel.y % block_shape.y),
                                     static_cast<int>(voxel.z % block_shape.z));
  return static_cast<std::size_t>(voxel.x % block_shape.x + row_voxels * row);
}

/// How many different numbers a block of so many bits a voxel lists, before its voxels.
std::size_t listed(unsigned bits) { return bits == byte_bits ? 0 : std::size_t{1} << bits; }

std::size_t bytes_of_block(unsigned bits) {
  return listed(bits) + static_cast<std::size_t>(voxels_per_block) * bits / byte_bits;
}

/// Outside of the box a block goes on with its first number.
BlockNumbers numbers_of_block(Int3 shape, Int3 at, std::span<std::uint8_t const> numbers) {
  Int3 const lower{at.x * block_shape.x, at.y * block_shape.y, at.z * block_shape.z};
  BlockNumbers found;
  found.fill(numbers[linear_index(shape, lower)]);
  std::int64_t const width = std::min(block_shape.x, shape.x - lower.x);
  for (std::int64_t z = lower.z; z < std::min(lower.z + block_shape.z, shape.z); ++z) {
    for (std::int64_t y = lower.y; y < std::min(lower.y + block_shape.y, shape.y); ++y) {
      Int3 const row{lower.x, y, z};
      std::ranges::copy(numbers.subspan(linear_index(shape, row), static_cast<std::size_t>(width)),
                        found.begin() + static_cast<std::ptrdiff_t>(place_in_block(row)));
    }
  }
  return found;
}

void pack_block(BlockNumbers const& numbers, VoxelNumbers::Packed& packed) {
  std::array<int, 256> place{};
  place.fill(-1);
  std::vector<std::uint8_t> list;
  for (std::uint8_t const number : numbers) {
    if (place[number] >= 0) continue;
    place[number] = static_cast<int>(list.size());
    list.push_back(number);
  }
  unsigned bits = 0;
  while (bits < byte_bits && listed(bits) < list.size()) bits = std::max(1U, 2 * bits);
  packed.bits.push_back(static_cast<std::uint8_t>(bits));
  std::size_t const begin = packed.bytes.size();
  packed.bytes.resize(begin + bytes_of_block(bits));
  std::span const bytes = std::span(packed.bytes).subspan(begin);
  if (bits == byte_bits) {
    std::ranges::copy(numbers, bytes.begin());
    return;
  }
  std::ranges::copy(list, bytes.begin());
  for (std::size_t i = 0; i < numbers.size() && bits > 0; ++i) {
    unsigned const which = static_cast<unsigned>(place[numbers[i]]) << (i * bits % byte_bits);
    std::uint8_t& byte = bytes[listed(bits) + i * bits / byte_bits];
    byte = static_cast<std::uint8_t>(byte | which);
  }
}

}  // namespace

VoxelNumbers::VoxelNumbers(Int3 shape, Packed packed)
    : grid_(blocks_in(shape)), packed_(std::move(packed)) {
  begins_.reserve(packed_.bits.size());
  std::size_t begin = 0;
  for (std::uint8_t const bits : packed_.bits) {
    begins_.push_back(begin);
    begin += bytes_of_block(bits);
  }
}

VoxelNumbers::Packed VoxelNumbers::pack(Int3 shape, std::span<std::uint8_t const> numbers) {
  Packed packed;
  Int3 const grid = blocks_in(shape);
  for (Int3 at; at.z < grid.z; ++at.z) {
    for (at.y = 0; at.y < grid.y; ++at.y) {
      for (at.x = 0; at.x < grid.x; ++at.x)
        pack_block(numbers_of_block(shape, at, numbers), packed);
    }
  }
  return packed;
}

std::uint8_t VoxelNumbers::at(Int3 voxel) const {
  Int3 const block{voxel.x / block_shape.x, voxel.y / block_shape.y, voxel.z / block_shape.z};
  std::size_t const b = linear_index(grid_, block);
  unsigned const bits = packed_.bits[b];
  std::uint8_t const* const bytes = packed_.bytes.data() + begins_[b];
  if (bits == 0) return bytes[0];
  std::size_t const place = place_in_block(voxel);
  if (bits == byte_bits) return bytes[place];
  unsigned const byte = bytes[listed(bits) + place * bits / byte_bits];
  return bytes[byte >> (place * bits % byte_bits) & ((1U << bits) - 1)];
}

}  // namespace tessera

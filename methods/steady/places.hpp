// SPDX-License-Identifier: MIT
// The order of nodes: blocks of 32 x 8 x 8 voxels as in partition/lattice/block_grid.hpp, in each
// the boxes of 2 x 2 x 2 voxels along a Z-order curve, in each box its parts, which are connected.
// A part is a node of the first coarse level, an *aggregate*.
//
// A *place* is the number of a box in this order. A box is a mask of 8 bits, bit x + 2 y + 4 z.
#pragma once

#include <bit>
#include <cstdint>

#include "base/host_device.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera::steady {

TESSERA_HOST_DEVICE int count_bits(unsigned mask) {
#ifdef __CUDA_ARCH__
  return __popc(mask);
#else
  return std::popcount(mask);
#endif
}

/// The first of the parts of a box that `links` links of D3Q19 connect.
template <int links>
TESSERA_HOST_DEVICE unsigned first_part(unsigned mask);

/// Only two voxels at opposite corners are not joined by links to faces and edges.
template <>
TESSERA_HOST_DEVICE unsigned first_part<18>(unsigned mask) {
  unsigned const lowest = mask & (0U - mask);
  unsigned const other = mask ^ lowest;
  // Bit e stands opposite bit 7 - e: reversed, the one is the other.
  if (count_bits(mask) != 2) return mask;
  for (int e = 0; e < 4; ++e) {
    if (lowest == 1U << e && other == 1U << (7 - e)) return lowest;
  }
  return mask;
}

/// Along faces a part is within three steps of its first voxel.
template <>
TESSERA_HOST_DEVICE unsigned first_part<6>(unsigned mask) {
  unsigned part = mask & (0U - mask);
  for (int step = 0; step < 3; ++step) {
    unsigned const along_x = (part & 0x55U) << 1 | (part & 0xAAU) >> 1;
    unsigned const along_y = (part & 0x33U) << 2 | (part & 0xCCU) >> 2;
    unsigned const along_z = (part & 0x0FU) << 4 | (part & 0xF0U) >> 4;
    part |= (along_x | along_y | along_z) & mask;
  }
  return part;
}

/// Calls visit(part) for each connected part of a box, in their order.
template <int links, class Visit>
TESSERA_HOST_DEVICE void for_each_part(unsigned mask, Visit const& visit) {
  for (unsigned rest = mask; rest != 0;) {
    unsigned const part = first_part<links>(rest);
    visit(part);
    rest ^= part;
  }
}

/// Divides a box by its links alone. Another division calls visit(part) likewise, in an order of
/// its own, for parts that its links connect and that are all of the mask together.
template <int links>
struct ConnectedParts {
  template <class Visit>
  TESSERA_HOST_DEVICE void operator()(std::int32_t /*place*/, unsigned mask,
                                      Visit const& visit) const {
    for_each_part<links>(mask, visit);
  }
};

struct Voxel {
  std::int32_t x, y, z;
};

struct Grid {
  Voxel shape{};
  bool periodic[3] = {};
  Voxel blocks{};

  static constexpr int places_per_block = 256;
  TESSERA_HOST_DEVICE std::int64_t places() const {
    return std::int64_t{blocks.x} * blocks.y * blocks.z * places_per_block;
  }
  TESSERA_HOST_DEVICE std::int32_t place_of(Voxel at) const {
    int const x = at.x >> 1;
    int const y = at.y >> 1;
    int const z = at.z >> 1;
    int const within = (x & 1) | (y & 1) << 1 | (z & 1) << 2 | (x & 2) << 2 | (y & 2) << 3 |
                       (z & 2) << 4 | (x & 12) << 4;
    return ((z >> 2) * blocks.y + (y >> 2)) * (blocks.x * places_per_block) +
           (x >> 4) * places_per_block + within;
  }
  /// The lower corner of a box.
  TESSERA_HOST_DEVICE Voxel corner(std::int32_t place) const {
    int const w = place & 255;
    int const block = place >> 8;
    int const x = (block % blocks.x) << 4 | (w & 1) | (w >> 2 & 2) | (w >> 4 & 12);
    int const y = (block / blocks.x % blocks.y) << 2 | (w >> 1 & 1) | (w >> 3 & 2);
    int const z = (block / blocks.x / blocks.y) << 2 | (w >> 2 & 1) | (w >> 4 & 2);
    return {2 * x, 2 * y, 2 * z};
  }
  TESSERA_HOST_DEVICE bool inside(Voxel at) const {
    return at.x < shape.x && at.y < shape.y && at.z < shape.z;
  }
  TESSERA_HOST_DEVICE std::int64_t linear(Voxel at) const {
    return (std::int64_t{at.z} * shape.y + at.y) * shape.x + at.x;
  }
  /// Moves a coordinate along an axis; false: it is outside.
  TESSERA_HOST_DEVICE static bool moved(std::int32_t& at, int by, std::int32_t size, bool wraps) {
    at += by;
    if (at >= 0 && at < size) return true;
    at += at < 0 ? size : -size;
    return wraps;
  }
  /// The voxel at the other end of a link; false: it is outside.
  TESSERA_HOST_DEVICE bool follow(Voxel& at, int q) const {
    bool const x = moved(at.x, D3Q19::x(q), shape.x, periodic[0]);
    bool const y = moved(at.y, D3Q19::y(q), shape.y, periodic[1]);
    bool const z = moved(at.z, D3Q19::z(q), shape.z, periodic[2]);
    return x && y && z;
  }
  /// Whether one box of 2^level voxels holds the grid.
  bool box_holds_all(int level) const {
    return shape.x <= 1 << level && shape.y <= 1 << level && shape.z <= 1 << level;
  }
  /// A number for the box of 2^level voxels that a place of the finest level lies in. Up to 8^3
  /// voxels such boxes are stretches of the order.
  TESSERA_HOST_DEVICE std::int64_t box(std::int32_t place, int level) const {
    if (level <= 3) return place >> (3 * (level - 1));
    Voxel const at = corner(place);
    std::int64_t const wide = (std::int64_t{shape.x} >> level) + 1;
    std::int64_t const high = (std::int64_t{shape.y} >> level) + 1;
    return ((std::int64_t{at.z} >> level) * high + (at.y >> level)) * wide + (at.x >> level);
  }
};

TESSERA_HOST_DEVICE unsigned bit_of(Voxel at) {
  return 1U << ((at.x & 1) | (at.y & 1) << 1 | (at.z & 1) << 2);
}

/// Finds nodes by voxels.
struct NodeFinder {
  Grid grid{};
  std::uint8_t const* masks = nullptr;       ///< of places
  std::int32_t const* first = nullptr;       ///< of places: number of the first aggregate as found
  std::uint8_t const* parts = nullptr;       ///< of aggregates as found: their masks
  std::int32_t const* renumbered = nullptr;  ///< as found -> as numbered; nullptr: they are equal
  std::int32_t const* first_slot = nullptr;  ///< of aggregates as numbered; nullptr: not yet known

  /// The aggregate, as found, that a voxel belongs to, or -1; `part` is its mask.
  TESSERA_HOST_DEVICE std::int32_t found(Voxel at, unsigned& part) const {
    std::int32_t const place = grid.place_of(at);
    unsigned const bit = bit_of(at);
    if ((masks[place] & bit) == 0) return -1;
    std::int32_t number = first[place];
    for (part = parts[number]; (part & bit) == 0; part = parts[number]) ++number;
    return number;
  }
  TESSERA_HOST_DEVICE std::int32_t slot(Voxel at) const {
    unsigned part = 0;
    std::int32_t aggregate = found(at, part);
    if (aggregate < 0) return -1;
    if (renumbered != nullptr) aggregate = renumbered[aggregate];
    return first_slot[aggregate] + count_bits(part & (bit_of(at) - 1));
  }
};

}  // namespace tessera::steady

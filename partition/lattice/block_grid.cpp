// SPDX-License-Identifier: MIT
#include "partition/lattice/block_grid.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace tessera {
namespace {

Block cut_block(Geometry const& geometry, Int3 at) {
  Block block{.at = at};
  Int3 const origin{at.x * block_shape.x, at.y * block_shape.y, at.z * block_shape.z};
  for (Axis a : all_axes) block.extent[a] = std::min(block_shape[a], geometry.shape[a] - origin[a]);
  for (int z = 0; z < block.extent.z; ++z) {
    for (int y = 0; y < block.extent.y; ++y) {
      std::uint8_t const* voxel =
          geometry.pore.data() + linear_index(geometry.shape, origin + Int3{0, y, z});
      std::uint32_t mask = 0;
      for (unsigned x = 0; x < block.extent.x; ++x)
        mask |= static_cast<std::uint32_t>(voxel[x] != 0) << x;
      block.rows[static_cast<std::size_t>(row_index(y, z))] = mask;
      block.nodes += std::popcount(mask);
    }
  }
  return block;
}

}  // namespace

std::vector<Block> cut_blocks(Geometry const& geometry, std::int64_t first_layer) {
  std::vector<Block> blocks;
  Int3 const grid = blocks_in(geometry.shape);
  for (Int3 at; at.z < grid.z; ++at.z) {
    for (at.y = 0; at.y < grid.y; ++at.y) {
      for (at.x = 0; at.x < grid.x; ++at.x) {
        Block block = cut_block(geometry, at);
        if (block.nodes == 0) continue;
        block.at.z += first_layer / block_shape.z;
        blocks.push_back(block);
      }
    }
  }
  return blocks;
}

BlockGrid::BlockGrid(std::vector<Block> blocks, Int3 image_shape, std::array<bool, 3> periodic,
                     LatticeKind lattice)
    : image_shape_(image_shape),
      grid_shape_(blocks_in(image_shape)),
      periodic_(periodic),
      lattice_(lattice),
      blocks_(std::move(blocks)),
      block_at_(static_cast<std::size_t>(volume(grid_shape_)), -1) {
  for (std::int32_t b = 0; b < size(); ++b) {
    Block const& block = blocks_[static_cast<std::size_t>(b)];
    nodes_ += block.nodes;
    block_at_[linear_index(grid_shape_, block.at)] = b;
  }
}

std::int32_t BlockGrid::neighbour(std::int32_t block, Int3 d) const {
  Int3 at = blocks_[static_cast<std::size_t>(block)].at + d;
  for (Axis a : all_axes) {
    if (at[a] >= 0 && at[a] < grid_shape_[a]) continue;
    if (!periodic_[index_of(a)]) return -1;
    at[a] = at[a] < 0 ? grid_shape_[a] - 1 : 0;
  }
  return block_at_[linear_index(grid_shape_, at)];
}

bool BlockGrid::needs_all(std::int32_t block) const {
  Int3 const lower = origin(block);
  Int3 const upper = lower + blocks_[static_cast<std::size_t>(block)].extent;
  return std::ranges::any_of(all_axes, [&](Axis a) {
    return (all_beside_[2 * index_of(a)] && lower[a] == 0) ||
           (all_beside_[2 * index_of(a) + 1] && upper[a] == image_shape_[a]);
  });
}

bool BlockGrid::is_fluid(Int3 voxel) const {
  Int3 const at{voxel.x / block_shape.x, voxel.y / block_shape.y, voxel.z / block_shape.z};
  std::int32_t const block = block_at_[linear_index(grid_shape_, at)];
  if (block < 0) return false;
  Int3 const inside = voxel - origin(block);
  int const row = row_index(static_cast<int>(inside.y), static_cast<int>(inside.z));
  return (blocks_[static_cast<std::size_t>(block)].rows[static_cast<std::size_t>(row)] >> inside.x &
          1U) != 0;
}

Int3 BlockGrid::origin(std::int32_t block) const {
  Int3 const at = blocks_[static_cast<std::size_t>(block)].at;
  return {at.x * block_shape.x, at.y * block_shape.y, at.z * block_shape.z};
}

bool crosses(std::array<int, 3> const& velocity, Int3 d) {
  return std::ranges::all_of(all_axes,
                             [&](Axis a) { return d[a] == 0 || velocity[index_of(a)] == d[a]; });
}

std::int64_t crossing_links(LatticeKind lattice, Block const& a, Block const& b, Int3 d) {
  std::int64_t links = 0;
  // Where a coordinate c moves to: inside a along an axis with d = 0, else into b.
  auto const moved = [&](Axis axis, std::int64_t at, int c) -> std::int64_t {
    std::int64_t const to = at + c;
    if (d[axis] == 0) return to >= 0 && to < a.extent[axis] ? to : -1;
    if (d[axis] > 0) return to == a.extent[axis] ? 0 : -1;
    return to < 0 ? b.extent[axis] - 1 : -1;
  };
  Velocities const velocities = velocities_of(lattice);
  for (int q = 1; q < velocities.size; ++q) {
    auto const& c = velocities.c[static_cast<std::size_t>(q)];
    if (!crosses(c, d)) continue;
    for (int z = 0; z < a.extent.z; ++z) {
      std::int64_t const to_z = moved(Axis::z, z, c[2]);
      if (to_z < 0) continue;
      for (int y = 0; y < a.extent.y; ++y) {
        std::int64_t const to_y = moved(Axis::y, y, c[1]);
        if (to_y < 0) continue;
        std::uint32_t const from = a.rows[static_cast<std::size_t>(row_index(y, z))];
        std::uint32_t const to = b.rows[static_cast<std::size_t>(
            row_index(static_cast<int>(to_y), static_cast<int>(to_z)))];
        int const cx = c[0];
        if (d.x == 0) {
          links += std::popcount((cx > 0 ? from << 1 : cx < 0 ? from >> 1 : from) & to);
        } else if (d.x > 0) {
          links += from >> (a.extent.x - 1) & to & 1U;
        } else {
          links += from & (to >> (b.extent.x - 1)) & 1U;
        }
      }
    }
  }
  return links;
}

std::vector<Int3> const& block_directions() {
  static std::vector<Int3> const directions = [] {
    std::vector<Int3> all;
    for (int k = 0; k < blocks_around; ++k) {
      if (k != block_itself) all.push_back({k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
    }
    return all;
  }();
  return directions;
}

}  // namespace tessera

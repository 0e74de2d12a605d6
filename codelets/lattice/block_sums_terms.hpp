// SPDX-License-Identifier: MIT
// The terms of a block's sums, for cores and for GPUs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codelets/lattice/block_sums.hpp"

namespace tessera {

/// Lanes that every sum is taken in.
inline constexpr std::uint32_t sum_lanes = 8;

/// What one population contributes.
struct PopulationSums {
  double all = 0;          ///< over all nodes
  double inside = 0;       ///< over the nodes in the box
  double handed_over = 0;  ///< 2 f_q over the links into a wall
};

TESSERA_HOST_DEVICE bool covers(AverageBox const& box, TileBlock const& block) {
  for (int a = 0; a < 3; ++a) {
    if (box.lower[a] > 0 || box.upper[a] < block.extent[a]) return false;
  }
  return true;
}

/// Calls visit(first node, count) for each run of nodes of a row inside the box, in order.
template <class Visit>
TESSERA_HOST_DEVICE void for_each_row_in_box(TileView const& tile, std::uint32_t b,
                                             AverageBox const& box, Visit&& visit) {
  if (box.lower[0] >= box.upper[0]) return;
  auto const below = [](unsigned x) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << x) - 1);
  };
  std::uint32_t const columns = below(box.upper[0]) & ~below(box.lower[0]);
  for (std::size_t z = box.lower[2]; z < box.upper[2]; ++z) {
    for (std::size_t y = box.lower[1]; y < box.upper[1]; ++y) {
      Row const& row = tile.rows[std::size_t{b} * rows_per_block + y + block_edge * z];
      auto const skipped = static_cast<std::uint32_t>(count_bits(row.mask & below(box.lower[0])));
      auto const count = static_cast<std::uint32_t>(count_bits(row.mask & columns));
      if (count > 0) visit(row.first + skipped, count);
    }
  }
}

/// Bits of the voxels x of a row whose neighbour x + dx in `beside` is a node.
TESSERA_HOST_DEVICE std::uint32_t fluid_beside(StagedRow const& beside, int dx, int width) {
  if (dx == 0) return beside.mask;
  if (dx < 0) return beside.mask << 1 | static_cast<std::uint32_t>(beside.left != no_node);
  return beside.mask >> 1 | static_cast<std::uint32_t>(beside.right != no_node) << (width - 1);
}

/// Momentum exchange at the walls (Ladd, J. Fluid Mech. 271 (1994) 285): a population that bounces
/// back transfers twice its momentum. Returns the sum of population q in the lane of the rows at y.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE double handed_over(TileBlock const& block, StagedRow const* rows,
                                       std::uint32_t q, int y, Storage const* populations) {
  double sum = 0;
  for (int z = 0; z < block.extent[2]; ++z) {
    StagedRow const& own = rows[staged_index(y, z)];
    auto const direction = static_cast<int>(q);
    StagedRow const& beside =
        rows[staged_index(y + Lattice::y(direction), z + Lattice::z(direction))];
    for (std::uint32_t wall =
             own.mask & ~fluid_beside(beside, Lattice::x(direction), block.extent[0]);
         wall != 0; wall &= wall - 1) {
      std::uint32_t const before = own.mask & ((wall & (~wall + 1)) - 1);
      std::uint32_t const node =
          own.origin + q * own.stride + static_cast<std::uint32_t>(count_bits(before));
      sum += 2 * static_cast<double>(from_storage(populations[node]));
    }
  }
  return sum;
}

/// Combines the sums of the populations, in their order.
template <class Lattice>
TESSERA_HOST_DEVICE BlockSums combine(PopulationSums const (&populations)[Lattice::size],
                                      double nodes_in_box) {
  BlockSums sums;
  for (int q = 0; q < Lattice::size; ++q) {
    double const c[3] = {static_cast<double>(Lattice::x(q)), static_cast<double>(Lattice::y(q)),
                         static_cast<double>(Lattice::z(q))};
    sums.density_shift += populations[q].all;
    for (int a = 0; a < 3; ++a) {
      sums.momentum[a] += c[a] * populations[q].inside;
      sums.drag[a] += c[a] * populations[q].handed_over;
    }
  }
  sums.nodes = nodes_in_box;
  return sums;
}

/// Nodes of a block that lie in its box.
TESSERA_HOST_DEVICE double nodes_in_box(TileView const& tile, std::uint32_t b,
                                        AverageBox const& box) {
  double nodes = 0;
  for_each_row_in_box(tile, b, box, [&](std::uint32_t, std::uint32_t count) { nodes += count; });
  return nodes;
}

}  // namespace tessera

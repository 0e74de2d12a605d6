// SPDX-License-Identifier: MIT
#include "codelets/block_sums.hpp"

#include "codelets/collide_stream_kernel.hpp"

namespace tessera {
namespace {

/// Sums in eight lanes whatever the processor, so that the result is the same on all.
using Lanes [[gnu::vector_size(64)]] = double;

template <class Real>
double sum_consecutive(Real const* values, std::uint32_t count) {
  Lanes lanes{};
  std::uint32_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::uint32_t k = 0; k < 8; ++k) lanes[k] += static_cast<double>(values[i + k]);
  }
  for (std::uint32_t k = 0; i < count; ++i, ++k) lanes[k] += static_cast<double>(values[i]);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

void add_momentum(double (&momentum)[3], int q, double population) {
  momentum[0] += D3Q19::x(q) * population;
  momentum[1] += D3Q19::y(q) * population;
  momentum[2] += D3Q19::z(q) * population;
}

bool covers(BlockWindow const& window, TileBlock const& block) {
  for (int a = 0; a < 3; ++a) {
    if (window.lower[a] > 0 || window.upper[a] < block.extent[a]) return false;
  }
  return true;
}

/// Calls visit(first node, count) for each run of nodes of a row inside the window, in order.
template <class Visit>
void for_each_row_in_window(TileView const& tile, std::uint32_t b, BlockWindow const& window,
                            Visit&& visit) {
  if (window.lower[0] >= window.upper[0]) return;
  auto const below = [](unsigned x) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << x) - 1);
  };
  std::uint32_t const columns = below(window.upper[0]) & ~below(window.lower[0]);
  for (std::size_t z = window.lower[2]; z < window.upper[2]; ++z) {
    for (std::size_t y = window.lower[1]; y < window.upper[1]; ++y) {
      Row const& row = tile.rows[std::size_t{b} * 64 + y + 8 * z];
      auto const skipped =
          static_cast<std::uint32_t>(count_bits(row.mask & below(window.lower[0])));
      auto const count = static_cast<std::uint32_t>(count_bits(row.mask & columns));
      if (count > 0) visit(row.first + skipped, count);
    }
  }
}

/// Bits of the voxels x of a row whose neighbour x + dx in `beside` is a node.
std::uint32_t fluid_beside(StagedRow const& beside, int dx, int width) {
  if (dx == 0) return beside.mask;
  if (dx < 0) return beside.mask << 1 | static_cast<std::uint32_t>(beside.left != no_node);
  return beside.mask >> 1 | static_cast<std::uint32_t>(beside.right != no_node) << (width - 1);
}

/// Momentum exchange at the walls (Ladd, J. Fluid Mech. 271 (1994) 285): a population that bounces
/// back hands over twice its momentum.
template <class Real>
void sum_drag(TileView const& tile, std::uint32_t b, Real const* f, double (&drag)[3]) {
  TileBlock const& block = tile.blocks[b];
  StagedRow rows[staged_rows];
  for (int z = -1; z <= block.extent[2]; ++z) {
    for (int y = -1; y <= block.extent[1]; ++y) rows[staged_index(y, z)] = stage_row(tile, b, y, z);
  }
  for (int z = 0; z < block.extent[2]; ++z) {
    for (int y = 0; y < block.extent[1]; ++y) {
      StagedRow const& own = rows[staged_index(y, z)];
      if (own.mask == 0) continue;
      for (int q = 1; q < D3Q19::size; ++q) {
        StagedRow const& beside = rows[staged_index(y + D3Q19::y(q), z + D3Q19::z(q))];
        double handed_over = 0;
        for (std::uint32_t wall = own.mask & ~fluid_beside(beside, D3Q19::x(q), block.extent[0]);
             wall != 0; wall &= wall - 1) {
          std::uint32_t const before = own.mask & ((wall & (~wall + 1)) - 1);
          std::uint32_t const node = own.first + static_cast<std::uint32_t>(count_bits(before));
          handed_over +=
              2 * static_cast<double>(f[static_cast<std::size_t>(q) * tile.layout.pitch + node]);
        }
        add_momentum(drag, q, handed_over);
      }
    }
  }
}

}  // namespace

template <class Real>
BlockSums sum_block(TileView const& tile, std::uint32_t b, BlockWindow const& window,
                    Real const* f) {
  TileBlock const& block = tile.blocks[b];
  bool const whole = covers(window, block);
  BlockSums sums;
  for (int q = 0; q < D3Q19::size; ++q) {
    Real const* const population = f + static_cast<std::size_t>(q) * tile.layout.pitch;
    double const all = sum_consecutive(population + block.first, block.nodes);
    sums.density_shift += all;
    double inside = all;
    if (!whole) {
      inside = 0;
      for_each_row_in_window(tile, b, window, [&](std::uint32_t first, std::uint32_t count) {
        inside += sum_consecutive(population + first, count);
      });
    }
    add_momentum(sums.momentum, q, inside);
  }
  sums.nodes = block.nodes;
  if (!whole) {
    sums.nodes = 0;
    for_each_row_in_window(tile, b, window,
                           [&](std::uint32_t, std::uint32_t count) { sums.nodes += count; });
  }
  sum_drag(tile, b, f, sums.drag);
  return sums;
}

template BlockSums sum_block(TileView const&, std::uint32_t, BlockWindow const&, float const*);
template BlockSums sum_block(TileView const&, std::uint32_t, BlockWindow const&, double const*);

}  // namespace tessera

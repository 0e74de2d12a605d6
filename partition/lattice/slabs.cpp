// SPDX-License-Identifier: MIT
#include "partition/lattice/slabs.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace tessera {
namespace {

/// Layers of blocks along an axis, from the first one that has any to the last.
std::int64_t layers_along(BlockGrid const& grid, Axis axis) {
  auto const [first, last] =
      std::ranges::minmax(grid.blocks(), {}, [&](Block const& block) { return block.at[axis]; });
  return last.at[axis] - first.at[axis] + 1;
}

/// Blocks of a part, layer by layer along an axis, row by row in each.
std::vector<std::size_t> blocks_along(BlockGrid const& grid, TileOfBlock const& part_of_block,
                                      std::int32_t part, Axis axis) {
  std::vector<std::size_t> blocks;
  for (std::size_t b = 0; b < part_of_block.size(); ++b) {
    if (part_of_block[b] == part) blocks.push_back(b);
  }
  // Blocks are numbered along x, then y, then z already.
  std::ranges::stable_sort(blocks, {}, [&](std::size_t b) { return grid.blocks()[b].at[axis]; });
  return blocks;
}

}  // namespace

SlabDirection slab_direction(BlockGrid const& grid, std::array<bool, 3> periodic) {
  SlabDirection best;
  for (Axis const axis : {Axis::z, Axis::y, Axis::x}) {
    SlabDirection const next{axis, layers_along(grid, axis), periodic[index_of(axis)]};
    if (std::pair(next.layers, !next.wraps) > std::pair(best.layers, !best.wraps)) best = next;
  }
  return best;
}

TileOfBlock share_layers(BlockGrid const& grid, BlockGraph const& graph, Axis axis,
                         std::int32_t parts) {
  // Pieces border on each other across the axis of most layers among the other two.
  std::vector<Axis> others;
  std::ranges::copy_if(std::array{Axis::z, Axis::y, Axis::x}, std::back_inserter(others),
                       [&](Axis other) { return other != axis; });
  Axis const beside =
      *std::ranges::max_element(others, {}, [&](Axis other) { return layers_along(grid, other); });

  std::vector<std::size_t> order(grid.blocks().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const layer_of = [&](std::size_t b) { return grid.blocks()[b].at[axis]; };
  std::ranges::stable_sort(order, {}, [&](std::size_t b) {
    return std::pair(layer_of(b), grid.blocks()[b].at[beside]);
  });

  TileOfBlock part_of_block(order.size());
  for (auto first = order.begin(); first != order.end();) {
    auto const last = std::find_if(first, order.end(),
                                   [&](std::size_t b) { return layer_of(b) != layer_of(*first); });
    std::int64_t work = 0;
    std::for_each(first, last, [&](std::size_t b) { work += graph.work[b]; });
    std::int64_t before = 0;
    for (; first != last; ++first) {
      // The piece that the middle of the block falls into.
      part_of_block[*first] =
          static_cast<std::int32_t>((2 * before + graph.work[*first]) * parts / (2 * work));
      before += graph.work[*first];
    }
  }
  return part_of_block;
}

Slabs cut_into_layers(BlockGrid const& grid, TileOfBlock const& part_of_block,
                      SlabDirection const& along, std::int32_t levels) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (Block const& block : grid.blocks()) first = std::min(first, block.at[along.axis]);
  auto const wanted = std::min<std::int64_t>(std::max(levels, 1), along.layers);
  std::vector<std::pair<std::int32_t, std::int64_t>> slab_of_block;  // part and level
  for (std::size_t b = 0; b < part_of_block.size(); ++b) {
    std::int64_t const layer = grid.blocks()[b].at[along.axis] - first;
    slab_of_block.emplace_back(part_of_block[b], layer * wanted / along.layers);
  }
  auto slabs = slab_of_block;
  std::ranges::sort(slabs);
  slabs.erase(std::unique(slabs.begin(), slabs.end()), slabs.end());
  std::vector<std::int64_t> used;  // levels that hold any fluid
  used.reserve(slabs.size());
  for (auto const& [part, level] : slabs) used.push_back(level);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());

  Slabs result;
  result.cut.outbox_for_each_part = true;
  result.levels.count = static_cast<std::int32_t>(used.size());
  result.levels.ring = along.wraps && used.size() > 2;
  for (auto const& [part, level] : slabs) {
    result.cut.part_of_tile.push_back(part);
    result.levels.of_tile.push_back(
        static_cast<std::int32_t>(std::ranges::lower_bound(used, level) - used.begin()));
  }
  for (auto const& slab : slab_of_block) {
    result.cut.tile_of_block.push_back(
        static_cast<std::int32_t>(std::ranges::lower_bound(slabs, slab) - slabs.begin()));
  }
  return result;
}

Slabs over_ranks(Slabs slabs, std::vector<std::int32_t> const& parts_of_rank) {
  std::vector<std::pair<std::int32_t, std::int32_t>> part;  // rank, and which of its parts
  for (std::size_t rank = 0; rank < parts_of_rank.size(); ++rank) {
    for (std::int32_t own = 0; own < parts_of_rank[rank]; ++own)
      part.emplace_back(static_cast<std::int32_t>(rank), own);
  }
  for (std::int32_t& part_of_tile : slabs.cut.part_of_tile) {
    auto const [rank, own] = part[static_cast<std::size_t>(part_of_tile)];
    slabs.cut.rank_of_tile.push_back(rank);
    part_of_tile = own;
  }
  return slabs;
}

TileLevels levels_of_rank(Slabs const& slabs, std::int32_t rank) {
  TileLevels own{.count = slabs.levels.count, .of_tile = {}, .ring = slabs.levels.ring};
  for (std::size_t t = 0; t < slabs.levels.of_tile.size(); ++t) {
    if (slabs.cut.rank_of(static_cast<std::int32_t>(t)) == rank)
      own.of_tile.push_back(slabs.levels.of_tile[t]);
  }
  return own;
}

TwoLevelCut cut_into_slabs(BlockGrid const& grid, TileOfBlock const& part_of_block, Axis axis,
                           std::int32_t slabs_per_part) {
  TwoLevelCut cut;
  cut.tile_of_block.resize(part_of_block.size());
  std::int32_t const parts = *std::ranges::max_element(part_of_block) + 1;
  for (std::int32_t part = 0; part < parts; ++part) {
    auto const blocks = blocks_along(grid, part_of_block, part, axis);
    std::int64_t nodes = 0;
    for (std::size_t const b : blocks) nodes += grid.blocks()[b].nodes;
    if (nodes == 0) continue;  // METIS may leave a part without blocks.
    std::int64_t before = 0;
    std::int64_t last = -1;
    for (std::size_t const b : blocks) {
      // The slab that the middle of the block falls into; one that no middle falls into is left
      // out.
      std::int64_t const slab =
          (2 * before + grid.blocks()[b].nodes) * slabs_per_part / (2 * nodes);
      if (slab != last) cut.part_of_tile.push_back(part);
      last = slab;
      cut.tile_of_block[b] = static_cast<std::int32_t>(cut.part_of_tile.size()) - 1;
      before += grid.blocks()[b].nodes;
    }
  }
  return cut;
}

}  // namespace tessera

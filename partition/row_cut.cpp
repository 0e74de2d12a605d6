// SPDX-License-Identifier: MIT
#include "partition/row_cut.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera {
namespace {

/// Tiles numbered along the row, of which some may be empty.
TileOfBlock row_along(PlacesAlongAxis const& places, BlockGraph const& graph,
                      std::vector<double> const& shares) {
  std::vector<std::int32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  // Blocks side by side are numbered one after the other already.
  std::ranges::stable_sort(order, {},
                           [&](std::int32_t b) { return places[static_cast<std::size_t>(b)]; });
  return cut_in_order(graph, order, shares);
}

/// The tiles of a part in the order of their numbers, from their order in the row.
std::vector<std::int32_t> outer_first(std::vector<std::int32_t> row) {
  if (row.size() > 2) std::rotate(row.begin() + 1, row.end() - 1, row.end());
  return row;
}

}  // namespace

TwoLevelCut cut_in_a_row(BlockGraph const& graph, std::vector<PlacesAlongAxis> const& axes,
                         std::vector<Part> const& parts) {
  std::vector<double> shares;
  std::vector<std::int32_t> part_in_row;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    auto const tiles = static_cast<std::size_t>(parts[p].tiles);
    shares.insert(shares.end(), tiles, parts[p].share / parts[p].tiles);
    part_in_row.insert(part_in_row.end(), tiles, static_cast<std::int32_t>(p));
  }

  TileOfBlock row;
  std::int64_t least = 0;
  for (PlacesAlongAxis const& places : axes) {
    TileOfBlock along = row_along(places, graph, shares);
    std::int64_t const cost = quality(graph, {along, part_in_row, {}}).cost;
    if (!row.empty() && cost >= least) continue;
    row = std::move(along);
    least = cost;
  }

  std::vector<bool> used(shares.size(), false);
  for (std::int32_t const tile : row) used[static_cast<std::size_t>(tile)] = true;
  TwoLevelCut cut;
  std::vector<std::int32_t> number(shares.size(), -1);
  for (std::size_t p = 0, first = 0; p < parts.size(); ++p) {
    std::vector<std::int32_t> tiles;
    for (auto const end = first + static_cast<std::size_t>(parts[p].tiles); first < end; ++first)
      if (used[first]) tiles.push_back(static_cast<std::int32_t>(first));
    for (std::int32_t const tile : outer_first(std::move(tiles))) {
      number[static_cast<std::size_t>(tile)] = static_cast<std::int32_t>(cut.part_of_tile.size());
      cut.part_of_tile.push_back(static_cast<std::int32_t>(p));
    }
  }
  for (std::int32_t const tile : row)
    cut.tile_of_block.push_back(number[static_cast<std::size_t>(tile)]);
  return cut;
}

}  // namespace tessera

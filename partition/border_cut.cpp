// SPDX-License-Identifier: MIT
#include "partition/border_cut.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "partition/sub_graph.hpp"

namespace tessera {
namespace {

/// Distance of each block from the nearest outer block, in edges. Blocks that reach none, in a pore
/// that ends here, for example, get the greatest number.
std::vector<std::int32_t> depths(BlockGraph const& graph) {
  std::vector<std::int32_t> depth(graph.work.size(), std::numeric_limits<std::int32_t>::max());
  std::vector<std::int32_t> reached;
  for (std::int32_t b = 0; b < static_cast<std::int32_t>(depth.size()); ++b) {
    if (!graph.is_outer(b)) continue;
    depth[static_cast<std::size_t>(b)] = 0;
    reached.push_back(b);
  }
  for (std::size_t i = 0; i < reached.size(); ++i) {  // `reached` grows in the loop
    auto const b = static_cast<std::size_t>(reached[i]);
    for (auto e = static_cast<std::size_t>(graph.first_edge[b]);
         e < static_cast<std::size_t>(graph.first_edge[b + 1]); ++e) {
      auto& next = depth[static_cast<std::size_t>(graph.neighbour[e])];
      if (next <= depth[b] + 1) continue;
      next = depth[b] + 1;
      reached.push_back(graph.neighbour[e]);
    }
  }
  return depth;
}

/// How many of `tiles` equal tiles are needed to hold all outer blocks.
std::int32_t tiles_at_border(BlockGraph const& graph, std::int32_t tiles) {
  std::int64_t outer = 0, all = 0;
  for (std::size_t b = 0; b < graph.work.size(); ++b) {
    all += graph.work[b];
    if (graph.is_outer(static_cast<std::int32_t>(b))) outer += graph.work[b];
  }
  return all == 0 ? 0 : static_cast<std::int32_t>((outer * tiles + all - 1) / all);
}

}  // namespace

TileOfBlock cut_border_first(BlockGraph const& part, std::int32_t tiles) {
  std::int32_t const at_border = tiles_at_border(part, tiles);
  if (at_border == 0 || at_border == tiles) return cut_with_metis(part, tiles);

  std::vector<std::int32_t> const depth = depths(part);
  std::vector<std::int32_t> inwards(part.work.size());
  std::iota(inwards.begin(), inwards.end(), 0);
  std::ranges::stable_sort(inwards, {},
                           [&](std::int32_t b) { return depth[static_cast<std::size_t>(b)]; });
  std::int32_t const shares[] = {at_border, tiles - at_border};
  TileOfBlock const layer_of_block =
      cut_in_order(part, inwards, {std::begin(shares), std::end(shares)});

  TileOfBlock cut(part.work.size());
  std::int32_t number = 0;
  for (std::int32_t layer : {0, 1}) {
    SubGraph const blocks = sub_graph(part, layer_of_block, layer);
    if (blocks.blocks.empty()) continue;
    auto const most = static_cast<std::int32_t>(blocks.blocks.size());
    number = number_tiles(blocks, cut_with_metis(blocks.graph, std::min(shares[layer], most)),
                          number, cut);
  }
  return cut;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Which block belongs to which tile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "partition/block_grid.hpp"

namespace tessera {

/// For each block of a grid the number of its tile.
using TileOfBlock = std::vector<std::int32_t>;

/// The blocks as a graph: a vertex's weight is its fluid nodes, an edge's what cutting it costs.
struct BlockGraph {
  std::vector<std::int32_t> first_edge;  ///< blocks + 1 values: compressed rows
  std::vector<std::int32_t> neighbour;
  std::vector<std::int32_t> links;  ///< of each edge, both ways
  std::vector<std::int32_t> cost;   ///< of cutting it: links, those across x counted more
  std::vector<std::int32_t> nodes;
  std::vector<std::uint64_t> curve_position;  ///< of each block along a Z-order curve
};
BlockGraph block_graph(BlockGrid const& grid);

/// Cuts with METIS (Karypis & Kumar, SIAM J. Sci. Comput. 20 (1998) 359) into `tiles` parts.
/// `target_weights` gives the share of each tile and sums to 1; empty means equal shares.
/// Deterministic. 1 <= tiles <= blocks.
TileOfBlock cut_with_metis(BlockGraph const& graph, std::int32_t tiles,
                           std::vector<float> const& target_weights = {});

/// A cut in two levels: into parts, and each part into tiles. Tiles are numbered part by part.
struct TwoLevelCut {
  TileOfBlock tile_of_block;
  std::vector<std::int32_t> part_of_tile;
};

/// Cuts with METIS into `parts` equal parts, which exchange little, and each of them into
/// `tiles_per_part` tiles. A part of few blocks has fewer tiles.
TwoLevelCut cut_in_two_levels(BlockGraph const& graph, std::int32_t parts,
                              std::int32_t tiles_per_part);

/// The plain cut to compare with: consecutive pieces of a Z-order curve through the blocks.
TileOfBlock cut_along_curve(BlockGraph const& graph, std::int32_t tiles,
                            std::vector<float> const& target_weights = {});

/// Version of METIS.
std::string metis_version();

/// What a cut is worth.
struct CutQuality {
  std::int32_t tiles = 0;
  double imbalance = 0;        ///< largest tile over the mean, less 1
  std::int64_t cut_links = 0;  ///< links between tiles: populations that cross in a step
};
CutQuality quality(BlockGraph const& graph, TileOfBlock const& cut);

}  // namespace tessera

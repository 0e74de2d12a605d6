// SPDX-License-Identifier: MIT
// Which block belongs to which tile.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// For each block the number of its tile. A block is what no cut divides: a brick of voxels, or a
/// pack of elements.
using TileOfBlock = std::vector<std::int32_t>;

/// The blocks as a graph: a vertex's weight is the work of its nodes, an edge's what cutting it
/// costs.
struct BlockGraph {
  std::vector<std::int32_t> first_edge;  ///< blocks + 1 values: compressed rows
  std::vector<std::int32_t> neighbour;
  std::vector<std::int32_t> links;            ///< of each edge, both ways
  std::vector<std::int32_t> cost;             ///< of cutting it: links, those across x counted more
  std::vector<std::int32_t> work;             ///< of a step, in fluid nodes
  std::vector<std::uint64_t> curve_position;  ///< of each block along a Z-order curve
  std::vector<bool> outer;  ///< by block: has neighbours in other ranks; empty: none has

  bool is_outer(std::int32_t block) const {
    return !outer.empty() && outer[static_cast<std::size_t>(block)];
  }
};

/// Cuts with METIS (Karypis & Kumar, SIAM J. Sci. Comput. 20 (1998) 359) into `tiles` parts.
/// `target_weights` gives the share of each tile and sums to 1; empty means equal shares.
/// Deterministic. 1 <= tiles <= blocks.
TileOfBlock cut_with_metis(BlockGraph const& graph, std::int32_t tiles,
                           std::vector<float> const& target_weights = {});

/// How the blocks of a part become tiles of equal work, 1 <= tiles <= blocks, numbered without
/// gaps.
using CutOfPart = std::function<TileOfBlock(BlockGraph const& part, std::int32_t tiles)>;
/// Cuts with METIS into tiles of little surface. partition/border_cut.hpp cuts where something else
/// than the surface counts.
TileOfBlock cut_compactly(BlockGraph const& part, std::int32_t tiles);

/// A part of a cut in two levels: its share of the work (relative to the other shares), and how
/// many tiles it becomes.
struct Part {
  double share = 1;
  std::int32_t tiles = 1;
};

/// A cut in two levels: into parts, and each part into tiles. Tiles are numbered part by part. The
/// parts are those of one process or, rank by rank, of several.
struct TwoLevelCut {
  TileOfBlock tile_of_block;
  std::vector<std::int32_t> part_of_tile;  ///< among the parts of its rank
  std::vector<std::int32_t> rank_of_tile;  ///< ascending; empty: all are of rank 0
  /// Each part has an outbox of its own in the tiles that it reads: its memory holds no more of
  /// other parts' outboxes than what its tiles need. Costs a datum more for each part.
  bool outbox_for_each_part = false;

  std::int32_t rank_of(std::int32_t tile) const {
    return rank_of_tile.empty() ? 0 : rank_of_tile[static_cast<std::size_t>(tile)];
  }
};

/// For each block the rank that has it; nothing where rank_of_tile is empty.
std::vector<std::int32_t> rank_of_blocks(TwoLevelCut const& cut);

/// Cuts with METIS into parts, which exchange little, and each of them into tiles of equal work. A
/// part of few blocks has fewer tiles, one with less than half a block of work none.
TwoLevelCut cut_in_two_levels(BlockGraph const& graph, std::vector<Part> const& parts,
                              CutOfPart const& cut_part = cut_compactly);

/// For each block the rank that gets it, in these shares, which sum to 1. Throws BadInput if one
/// would get none; `blocks` is what they are called.
std::vector<std::int32_t> cut_for_ranks(BlockGraph const& graph, std::vector<float> const& shares,
                                        std::string_view blocks = "blocks");

/// The cut in two levels of the blocks of one rank; all others are of tile -1.
TwoLevelCut cut_of_rank(BlockGraph const& graph, std::vector<std::int32_t> const& rank_of_block,
                        std::int32_t rank, std::vector<Part> const& parts,
                        CutOfPart const& cut_part = cut_compactly);

/// Consecutive pieces of the blocks in a given order, which have these shares of the work; a piece
/// that no block's middle falls into is empty.
TileOfBlock cut_in_order(BlockGraph const& graph, std::vector<std::int32_t> const& order,
                         std::vector<double> const& shares);

/// The plain cut to compare with: consecutive pieces of a Z-order curve through the blocks.
TileOfBlock cut_along_curve(BlockGraph const& graph, std::int32_t tiles,
                            std::vector<float> const& target_weights = {});

/// Version of METIS.
std::string metis_version();

/// What a cut is worth.
struct CutQuality {
  std::int32_t tiles = 0;
  double imbalance = 0;        ///< largest tile over the mean of its part, less 1
  std::int64_t cut_links = 0;  ///< links between tiles: populations that cross in a step
  std::int64_t cost = 0;       ///< cost of the cut links, those along x counted more
};
CutQuality quality(BlockGraph const& graph, TileOfBlock const& cut);
CutQuality quality(BlockGraph const& graph, TwoLevelCut const& cut);

}  // namespace tessera

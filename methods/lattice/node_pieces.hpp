// SPDX-License-Identifier: MIT
// The nodes of a tile with the state of each, as one piece of bytes that another process can read
// without knowing the tile.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ranks/piece.hpp"
#include "codelets/lattice/snapshot.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

namespace node_piece {

struct Head {
  std::int32_t tile = 0;
  std::uint32_t blocks = 0;
};

struct BlockOfNodes {
  std::int32_t origin[3];
  std::uint32_t rows[rows_per_block];  ///< masks
};

}  // namespace node_piece

/// Writes the blocks, then the states. `number`: the tile's number among the tiles of all ranks;
/// state_of(node): the state.
template <class StateOf>
PieceWriter piece_of_nodes(Tiling const& tiling, Tile const& tile, std::int32_t number,
                           StateOf&& state_of) {
  TileView const view = view_of(tile);
  PieceWriter piece;
  piece.add(node_piece::Head{number, tile.counts.blocks});
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    node_piece::BlockOfNodes block{};
    Int3 const origin = origin_of(tiling, tile, b);
    for (Axis a : all_axes) block.origin[index_of(a)] = static_cast<std::int32_t>(origin[a]);
    for (std::size_t r = 0; r < rows_per_block; ++r)
      block.rows[r] = view.rows[b * rows_per_block + r].mask;
    piece.add(block);
  }
  for_each_node(tiling, tile, [&](Int3, std::uint32_t node, std::size_t) {
    piece.add(NodeState(state_of(node)));
  });
  return piece;
}

/// Calls visit(voxel, tile, state) for each node of a piece.
template <class Visit>
void visit_nodes_of(std::span<std::byte const> bytes, Visit&& visit) {
  PieceReader piece(bytes);
  auto const head = piece.take<node_piece::Head>();
  for (auto const& block : piece.take<node_piece::BlockOfNodes>(head.blocks)) {
    Int3 const origin{block.origin[0], block.origin[1], block.origin[2]};
    for (std::uint32_t r = 0; r < rows_per_block; ++r) {
      for (std::uint32_t left = block.rows[r]; left != 0; left &= left - 1) {
        Int3 const in_block{std::countr_zero(left), y_of_row(r), z_of_row(r)};
        visit(origin + in_block, head.tile, piece.take<NodeState>());
      }
    }
  }
}

}  // namespace tessera

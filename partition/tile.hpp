// SPDX-License-Identifier: MIT
// A tile as the kernels see it: whole blocks of fluid nodes, the rows around them, and what crosses
// its border.
//
// Nodes are numbered block by block, row by row, x fastest; each block starts at a multiple of
// `node_alignment`. The populations of a tile are one array [19][pitch]. Nodes of other tiles that
// a population comes from stand in halo rows: they look like rows of own blocks, and the few
// populations that are needed of them are copied behind the own nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

/// Blocks start at multiples of this many nodes: one cache line of floats.
inline constexpr std::uint32_t node_alignment = 16;
/// Values behind the last population that a kernel may load, not use.
inline constexpr std::uint32_t load_slack = 16;

/// The fluid nodes of 32 voxels along x: bit x of the mask, and the number of the first.
struct Row {
  std::uint32_t mask;
  std::uint32_t first;
};

struct TileBlock {
  std::uint32_t first;     ///< first node
  std::uint32_t nodes;     ///< fluid nodes
  std::uint8_t extent[3];  ///< voxels inside the image
  std::uint8_t unused;
};

/// A run of nodes of one row of which some populations cross between tiles: `directions` (bit q) of
/// `count` nodes from node `node` on stand at `at` in an outbox, direction by direction.
struct Segment {
  std::uint32_t node;
  std::uint32_t at;
  std::uint32_t directions;
  std::uint16_t count;
  std::uint16_t
      box;  ///< which outbox: position in the list of the tile's neighbours (only where it is read)
};

/// Counts that describe a tile's tables.
struct TileLayout {
  std::uint32_t blocks = 0;
  std::uint32_t halo_blocks = 0;
  std::uint32_t nodes = 0;       ///< fluid nodes
  std::uint32_t slots = 0;       ///< own nodes with the gaps between blocks
  std::uint32_t halo_slots = 0;  ///< behind them
  std::uint32_t pitch = 0;       ///< distance between the arrays of two populations
  std::uint32_t sends = 0;
  std::uint32_t receives = 0;
  std::uint32_t outbox_values = 0;
};

/// Read-only pointers into a tile's tables, on whatever device they lie.
struct TileView {
  TileLayout layout;
  TileBlock const* blocks = nullptr;  ///< [blocks + halo_blocks]; nodes of halo blocks are not own
  Row const* rows = nullptr;          ///< [blocks + halo_blocks][64]
  std::int32_t const* neighbours = nullptr;  ///< [blocks][27], x fastest; -1 where there is nothing
  Segment const* sends = nullptr;
  Segment const* receives = nullptr;
};

/// Bytes of the tables in one buffer.
std::size_t tables_bytes(TileLayout const& layout);

/// The tables inside a buffer of tables_bytes() bytes.
TileView view_tables(TileLayout const& layout, std::byte const* buffer);

}  // namespace tessera

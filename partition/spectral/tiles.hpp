// SPDX-License-Identifier: MIT
// A tile of a mesh: some packs, with the tables that a kernel reads for their elements. A tile's
// own data, in numbers (float or double):
//
//   state    the packs' states, one behind the other (packs.hpp)
//   traces   the packs' traces of one stage, one behind the other
//   outboxes what leaves the tile in a stage for the tiles of one process (rank) each: side by side
//            T[variable][b][a], contiguous
//
// A side whose neighbour lies in another tile reads that tile's outbox, where it stands, and finds
// it among its inboxes: the outboxes of `neighbours` in their order, then those of `foreign`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "partition/spectral/packs.hpp"

namespace tessera::spectral {

/// A pack in a tile. Places are in numbers from the beginning of the tile's data.
struct TilePack {
  std::int64_t state = 0;
  std::int64_t traces = 0;
  std::int64_t metrics = 0;   ///< in the geometry
  std::int64_t jacobian = 0;  ///< in the geometry
  std::int32_t degree = 0;
  std::int32_t elements = 0;
  std::int32_t affine = 0;  ///< whether all elements are
  std::int32_t first_leaving = 0;
  std::int32_t leaving = 0;         ///< sides that other tiles read
  std::int32_t first_part[7] = {};  ///< of each side, and behind the last one
};

/// Some lanes of a side of a pack that have neighbours of one degree, or a boundary of one kind.
struct SidePart {
  std::int32_t lanes = 0;     ///< one bit each
  std::int32_t degree = -1;   ///< of the neighbours; -1: a boundary
  std::int32_t boundary = 0;  ///< BoundaryKind
  std::int32_t affine = 0;    ///< whether all neighbours of a higher degree are
  /// Where these values begin in the geometry. At a boundary: the state given,
  /// [variable][point][8]. For neighbours of a higher degree: S_d at their points, towards the own
  /// axis, [component][point][8], or [component][8] if they are affine.
  std::int64_t values = 0;
};

/// Where a lane of a side finds the trace of its neighbour: value [variable][point] is
/// `stride` (variable points + point) behind `begin`.
struct Link {
  std::int64_t begin = 0;
  std::int32_t source = 0;  ///< 0: the own traces; n + 1: inbox n
  std::int16_t stride = 0;
  std::int16_t turn = 0;  ///< Turn
};

/// A lane of a side that meets a neighbour of another degree, with all that computing its fluxes
/// needs.
struct MortarFace {
  std::int64_t trace = 0;         ///< of the side, in the traces
  std::int64_t areas = 0;         ///< in the geometry: S_d at the points of the higher degree
  Link link;                      ///< to the neighbour's trace
  std::int32_t of_component = 0;  ///< from one of the areas to the next
  std::int32_t of_point = 0;
  std::int32_t is_end = 0;  ///< whether the side is the end of its axis
  /// Whether this face also computes the fluxes at the neighbour's points, which then has no face
  /// of its own. The side is of the lower degree then.
  std::int32_t for_both = 0;
};

/// Mortar faces where elements of one degree meet another degree; they stand one behind the other.
struct MortarGroup {
  std::int32_t degree = 0;
  std::int32_t other = 0;  ///< the neighbours' degree
  std::int32_t first = 0;
  std::int32_t faces = 0;
};

/// A side that other tiles read: from the traces to the outbox.
struct Leaving {
  std::int64_t from = 0;  ///< in the traces: value i is at from + 8 i
  std::int64_t to = 0;    ///< in the outbox: at to + i
  std::int32_t numbers = 0;
  std::int32_t outbox = 0;  ///< number among the tile's
};

/// Packs of one degree, which stand one behind the other.
struct DegreeGroup {
  std::int32_t degree = 0;
  std::int32_t first = 0;
  std::int32_t packs = 0;
  std::int32_t curved = 0;  ///< whether one of them has elements that are not affine
};

/// How large a tile is, and where its tables begin, in bytes.
struct TileCounts {
  std::int32_t dimension = 0;
  std::int32_t packs = 0;
  std::int64_t points = 0;  ///< of elements, without padding
  std::int64_t state_numbers = 0;
  std::int64_t trace_numbers = 0;
  std::int64_t parts_at = 0;
  std::int64_t mortars_at = 0;
  std::int64_t links_at = 0;
  std::int64_t leaving_at = 0;
  std::int64_t geometry_at = 0;
  std::int32_t outboxes = 0;
  std::int32_t groups = 0;
  DegreeGroup group[most_degree + 1] = {};
  std::int32_t mortar_groups = 0;
  MortarGroup mortar_group[(most_degree + 1) * most_degree] = {};
};

/// The tables of a tile, N: double or float.
template <class N>
struct TileView {
  TilePack const* packs;
  SidePart const* parts;
  MortarFace const* mortars;
  Link const* links;  ///< [pack][side][8]
  Leaving const* leaving;
  N const* geometry;
};
template <class N>
TESSERA_HOST_DEVICE TileView<N> view_of(TileCounts const& counts, std::byte const* tables) {
  return {reinterpret_cast<TilePack const*>(tables),
          reinterpret_cast<SidePart const*>(tables + counts.parts_at),
          reinterpret_cast<MortarFace const*>(tables + counts.mortars_at),
          reinterpret_cast<Link const*>(tables + counts.links_at),
          reinterpret_cast<Leaving const*>(tables + counts.leaving_at),
          reinterpret_cast<N const*>(tables + counts.geometry_at)};
}

/// Bytes in whole cache lines.
struct CacheLine {
  alignas(64) std::byte bytes[64];
};

/// What leaves a tile in a stage for the tiles of one rank.
struct Outbox {
  std::int32_t rank = 0;
  std::int64_t numbers = 0;
};

/// The outbox of a tile of another rank for this one.
struct ForeignOutbox {
  std::int32_t tile = 0;  ///< number among the tiles of all ranks
  std::int32_t rank = 0;
  std::int64_t numbers = 0;
};

struct ElementTile {
  TileCounts counts;
  std::vector<std::int32_t> packs;       ///< their numbers in the mesh, in the tile's order
  std::vector<std::int32_t> neighbours;  ///< own tiles that it reads from, ascending
  std::vector<std::int32_t> foreign;     ///< of ElementTiles::foreign, what it reads as well
  std::vector<Outbox> outboxes;          ///< for the own tiles, and for each rank where others are
  std::int32_t part = 0;                 ///< of the cut
  std::vector<CacheLine> tables;

  std::byte const* table_bytes() const { return std::as_bytes(std::span(tables)).data(); }
};

/// The tiles of one rank; a single process has all tiles.
struct ElementTiles {
  std::vector<ElementTile> tiles;
  std::int32_t first_tile = 0;             ///< number of the first one among those of all ranks
  std::vector<ForeignOutbox> foreign;      ///< that the tiles read
  std::vector<std::int32_t> rank_of_pack;  ///< by number in the mesh; empty: all are of this one

  /// Number of the tile tiles[t] among the tiles of all ranks.
  std::int32_t number_of(std::size_t t) const { return first_tile + static_cast<std::int32_t>(t); }
};

/// For each pack the number of its tile, from 0 without gaps.
using TileOfPack = std::vector<std::int32_t>;
/// For each tile the number of its rank, ascending; empty: all are of rank 0.
using RankOfTile = std::vector<std::int32_t>;

/// A mesh with the gas, the boundary conditions and the packs. `boundaries`: by number, as the mesh
/// names them.
struct MeshOfGas {
  Mesh mesh;
  Packs packs;
  std::vector<BoundaryCondition> boundaries;
  Gas<double> gas;
};

/// The tiles of a rank with the tables of numbers N. Throws BadInput if a boundary has no condition
/// or an element is turned inside out.
template <class N>
ElementTiles make_tiles(MeshOfGas const& of, TileOfPack const& tile_of_pack,
                        RankOfTile const& rank_of_tile = {}, std::int32_t rank = 0);

extern template ElementTiles make_tiles<double>(MeshOfGas const&, TileOfPack const&,
                                                RankOfTile const&, std::int32_t);
extern template ElementTiles make_tiles<float>(MeshOfGas const&, TileOfPack const&,
                                               RankOfTile const&, std::int32_t);

}  // namespace tessera::spectral

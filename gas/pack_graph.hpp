// SPDX-License-Identifier: MIT
// The packs of a mesh as a graph to cut, and tiles from a cut.
#pragma once

#include "partition/cut.hpp"
#include "spectral/tiles.hpp"

namespace tessera::spectral {

/// Vertices are packs, and their work what their points cost; edges are the sides between them, and
/// their links the numbers that cross in a stage, both ways.
BlockGraph pack_graph(MeshOfGas const& of);

/// Which tile each pack belongs to, and which part each tile.
struct CutOfPacks {
  TileOfPack tile_of_pack;
  std::vector<std::int32_t> part_of_tile;
};

/// Cuts with METIS into parts and those into tiles (partition/cut.hpp).
CutOfPacks cut_packs(MeshOfGas const& of, std::vector<Part> const& parts);

}  // namespace tessera::spectral

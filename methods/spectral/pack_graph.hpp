// SPDX-License-Identifier: MIT
// The packs of a mesh as a graph to cut, and tiles from a cut.
#pragma once

#include "partition/cut.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// Vertices are packs, and their work what their points cost; edges are the sides between them, and
/// their links the numbers that cross in a stage, both ways.
BlockGraph pack_graph(MeshOfGas const& of);

/// Cuts with METIS into parts and the parts into tiles (partition/cut.hpp); packs are its blocks.
inline TwoLevelCut cut_packs(MeshOfGas const& of, std::vector<Part> const& parts) {
  return cut_in_two_levels(pack_graph(of), parts);
}

/// Cuts into slabs one behind the other, for several GPUs (partition/row_cut.hpp).
TwoLevelCut cut_packs_in_a_row(MeshOfGas const& of, std::vector<Part> const& parts);

}  // namespace tessera::spectral

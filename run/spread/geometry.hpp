// SPDX-License-Identifier: MIT
// A geometry whose layers along z are spread over the processes of a run, so that none of them has
// to hold it. A process that is alone, or by itself, has all layers and comes through all of this
// at once.
//
// Functions that say "all" are to be called by all processes, in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "geometry/geometry.hpp"
#include "geometry/layer_range.hpp"

namespace tessera {

/// The layers of a rank: whole layers of blocks, as many for each rank as for the others, or one
/// more.
LayerRange layers_of_rank(int rank, std::int64_t layers);
/// Whose layer it is.
int rank_of_layer(std::int64_t layer, std::int64_t layers);
struct SpreadGeometry {
  /// The layers of this process, as a geometry by themselves, which wraps along z only if they are
  /// all. There may be none.
  Geometry own;
  Int3 shape;  ///< of the whole, as is what follows
  std::array<bool, 3> periodic{};
  LayerRange layers;        ///< of this process
  bool everywhere = false;  ///< each process has all layers

  /// Where it wraps; `own` follows.
  void set_periodic(std::array<bool, 3> axes);
};

/// Where each process has all of it, as one that is alone.
SpreadGeometry spread_geometry(Geometry whole);

/// A box without solid, of which each process has its layers.
SpreadGeometry open_box(Int3 shape);

/// All: pore voxels of the whole.
std::int64_t pore_voxels(SpreadGeometry const& geometry);
/// All: the whole, for each process.
Geometry whole_geometry(SpreadGeometry const& geometry);
/// All: the hash of all voxels, in their order.
std::string sha256_of(SpreadGeometry const& geometry);

}  // namespace tessera

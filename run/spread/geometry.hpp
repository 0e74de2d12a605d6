// SPDX-License-Identifier: MIT
// A geometry whose layers along z are distributed over the processes of a run, so that no process
// has to hold all of it. A single process, or one by itself (Ranks::ByItself), has all layers, and
// these functions return at once.
//
// Functions whose comment begins with "all ranks" are collective: all processes call them, in the
// same order.
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
/// The rank that has a layer.
int rank_of_layer(std::int64_t layer, std::int64_t layers);
struct SpreadGeometry {
  /// The layers of this process, as a geometry by themselves, which wraps along z only if they are
  /// all. There may be none.
  Geometry own;
  Int3 shape;  ///< of the whole; `periodic`, too, is of the whole
  std::array<bool, 3> periodic{};
  LayerRange layers;         ///< of this process
  bool everywhere = false;   ///< each process has all layers
  std::int64_t outside = 0;  ///< as Geometry has it, of the whole

  std::int64_t sample_voxels() const { return volume(shape) - outside; }

  /// Sets where the whole wraps, and `own` accordingly.
  void set_periodic(std::array<bool, 3> axes);
};

/// A geometry of which each process has all layers, like a single process.
SpreadGeometry spread_geometry(Geometry whole);

/// A box without solid, distributed over the processes by layers.
SpreadGeometry open_box(Int3 shape);

/// All ranks: number of pore voxels of the whole.
std::int64_t pore_voxels(SpreadGeometry const& geometry);
/// All ranks: all-gather of the whole geometry.
Geometry whole_geometry(SpreadGeometry const& geometry);
/// All ranks: the hash of all voxels, in their order.
std::string sha256_of(SpreadGeometry const& geometry);

}  // namespace tessera

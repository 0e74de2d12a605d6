// SPDX-License-Identifier: MIT
// `tessera bench tiles`: the tiles of a rock and what they exchange, for bench/simulate.
#pragma once

#include <string>

#include "bench/cluster_cut.hpp"
#include "interfaces/cli/image_options.hpp"

namespace tessera {

struct TilesOptions {
  ImageOptions image;  ///< without a path: overlapping spheres
  Labels labels;
  std::string repeat{"1,1,1"};
  std::string size{"256,256,256"};  ///< of the spheres' box
  double porosity = 0.3;
  double radius = 14;
  Cluster cluster;
  int tiles = 0;  ///< of all GPUs; 0: as many as a run would choose
  std::string precision = "single";
  std::string json;
};

/// Cuts a rock, periodic along all axes, as `tessera permeability` would for such processes and
/// GPUs, which need not be there, and writes what it finds.
int bench_tiles(TilesOptions const& options);

}  // namespace tessera

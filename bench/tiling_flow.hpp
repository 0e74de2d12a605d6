// SPDX-License-Identifier: MIT
// How fast a flow runs on given tiles.
#pragma once

#include "graph/flow_graph.hpp"
#include "lattice/storage.hpp"

namespace tessera {

/// Million node updates a second on cores, measured for about so many seconds. Starts a Runtime of
/// its own: an older one would keep buffers of other tiles.
double measure_tiling(Tiling const& tiling, Precision precision, unsigned cores, Balance balance,
                      double seconds);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Requested properties of a flow's tiles, and of how they take their steps.
#pragma once

#include <cstdint>

#include "base/storage.hpp"
#include "graph/domain.hpp"
#include "models/lattice/flow_model.hpp"

namespace tessera {

struct TilesAsked {
  FlowModel model;
  Precision precision = Precision::single_precision;
  int tiles = 0;                    ///< of all GPUs if there are any, else of all cores; 0: chosen
  std::int64_t nodes_per_tile = 0;  ///< for the choice, on GPUs or on cores; 0: the usual
  int window = 4;                   ///< steps submitted ahead
  Balance balance = Balance::dynamic;
  int steps_per_sweep = 0;  ///< 0: 1 if the lattice fits into the memory of its GPUs, else more
};

}  // namespace tessera

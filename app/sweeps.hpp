// SPDX-License-Identifier: MIT
// How a lattice is run that does not fit into the memory of its GPUs.
#pragma once

#include <array>
#include <optional>

#include "app/flow_run.hpp"
#include "partition/cut.hpp"

namespace tessera {

struct SweepPlan {
  int steps = 1;                     ///< that a tile takes while it is in memory
  std::optional<TwoLevelCut> slabs;  ///< the tiles, if the lattice does not fit
};

/// Bytes that a lattice takes in the memory of GPUs, with the second lattices of the tiles in work,
/// halos, outboxes and tables: what docs/performance.md measures, and a tenth more.
std::int64_t bytes_on_gpus(std::int64_t nodes, Precision precision);

/// Slabs of a part that its GPU must hold so that a tile takes `steps` steps while it is there.
std::int32_t slabs_in_memory(int steps, int window, std::int32_t per_level);

/// Steps of a sweep as the case says; else 1 if the lattice fits, and 8 if it does not, or fewer
/// where tiles would become too thin.
SweepPlan plan_sweeps(BlockGrid const& grid, BlockGraph const& graph, std::array<bool, 3> periodic,
                      Workers const& workers, FlowCase const& flow_case);

}  // namespace tessera

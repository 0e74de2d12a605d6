// SPDX-License-Identifier: MIT
// Several processes of one host, where a single one that has all of it takes less time.
#pragma once

#include <functional>

#include "run/plan/worker_plan.hpp"

namespace tessera {

/// Collective: whether one flow by minres takes less time if rank 0 computes it with all cores and
/// GPUs: on one host, unless the user gives each process cores or GPUs of its own.
bool is_one_flow_for_first(WorkersAsked const& asked);
/// Collective: as above, of many flows. Processes share them if each has a GPU of its own.
bool are_flows_for_first(WorkersAsked const& asked);

/// Collective: runs a command by rank 0, and says so; the other ranks wait. Returns its exit
/// status.
int run_by_first(std::function<int()> const& command);

}  // namespace tessera

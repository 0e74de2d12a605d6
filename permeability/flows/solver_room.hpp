// SPDX-License-Identifier: MIT
// Room for a solver of a steady equation, and how many GPUs it takes.
#pragma once

#include <cstdint>

#include "run/plan/worker_plan.hpp"

namespace tessera {

/// Room that each of the processes that solve together has at least.
struct SolverRoom {
  int processes = 1;
  unsigned gpus = 0;                ///< each
  bool gpus_are_asked_for = false;  ///< all of them compute, whether they are worth it or not
  std::int64_t gpu_bytes = 0;       ///< left on each GPU
  std::int64_t main_bytes = 0;      ///< left in main memory, of all processes together
};

/// The room of this process with so many GPUs.
SolverRoom own_room(WorkersAsked const& asked, unsigned gpus);
/// Collective: the room that every rank has.
SolverRoom common_room(WorkersAsked const& asked, unsigned gpus);

/// How many of its GPUs each of the processes that solve together uses for equal flows of so many
/// nodes, one after the other: as many as `bytes` of each process need, more where each GPU has
/// enough to do; 0: it does not fit.
unsigned gpus_to_solve_on(std::int64_t nodes, std::int64_t bytes, SolverRoom const& room,
                          std::int64_t flows = 1);

}  // namespace tessera

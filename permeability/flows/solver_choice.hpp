// SPDX-License-Identifier: MIT
// Which solver takes less time to a permeability, and whether it fits the memory.
#pragma once

#include <cstdint>
#include <string>

#include "permeability/flows/solver_room.hpp"
#include "permeability/permeability_case.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// Cost of minres for a box, by measurement (docs/performance.md): bytes, of which the set-up takes
/// a little more than the iteration; iterations until the permeability is good to the tolerance;
/// and how many time steps an iteration is worth.
std::int64_t bytes_to_solve(std::int64_t nodes, Precision precision);
/// Bytes in each of several processes that solve together: all hold the rows of the coarse levels.
std::int64_t bytes_to_solve(std::int64_t nodes, Precision precision, int processes);
double expected_iterations(double tolerance);
double steps_an_iteration();

struct SolverChoice {
  bool solves = false;  ///< else steps
  unsigned gpus = 0;    ///< GPUs of each process that solve; 0: cores solve
  std::string reason;
};

/// Chooses where both solvers are possible, for as many flows of this kind.
SolverChoice choose_solver(PreparedBox const& box, PermeabilityCase const& asked,
                           Workers const& workers, SolverRoom const& room, std::int64_t flows);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Which solver takes less time to a permeability, and whether it fits the memory.
#pragma once

#include <cstdint>
#include <string>

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

/// How many of its GPUs each of the processes that solve together uses: as many as the memory
/// needs, more where each GPU has enough to do; 0: it does not fit. `gpu_bytes`: of each GPU.
unsigned gpus_to_solve_on(std::int64_t nodes, Precision precision, unsigned gpus,
                          std::int64_t gpu_bytes, int processes = 1);

struct SolverChoice {
  bool solves = false;  ///< else steps
  unsigned gpus = 0;    ///< GPUs of each process that solve; 0: cores solve
  std::string reason;
};

/// Room that each of the processes that solve together has at least.
struct SolverRoom {
  int processes = 1;
  unsigned gpus = 0;            ///< each
  std::int64_t gpu_bytes = 0;   ///< left on each GPU
  std::int64_t main_bytes = 0;  ///< left in main memory, of all processes together
};

/// Chooses where both solvers are possible.
SolverChoice choose_solver(PreparedBox const& box, PermeabilityCase const& asked,
                           Workers const& workers, SolverRoom const& room);

}  // namespace tessera

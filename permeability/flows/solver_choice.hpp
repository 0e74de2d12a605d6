// SPDX-License-Identifier: MIT
// Which way to a permeability is the shorter one, and whether it fits the memory.
#pragma once

#include <cstdint>
#include <string>

#include "permeability/permeability_case.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// What the solver takes for a box, by measurement (docs/performance.md): bytes while it iterates
/// and, a little more, while it is set up; iterations until the permeability is good to the
/// tolerance, and how many time steps one of them is worth.
std::int64_t bytes_to_solve(std::int64_t nodes, Precision precision);
/// The same of each of several processes that solve together: rows of the coarse levels are on all.
std::int64_t bytes_to_solve(std::int64_t nodes, Precision precision, int processes);
double expected_iterations(double tolerance);
double steps_an_iteration();

/// How many of its GPUs each of the processes takes that solve together: as many as the memory
/// needs, more where each GPU has enough to do; 0: it does not fit. `gpu_bytes`: of each.
unsigned gpus_to_solve_on(std::int64_t nodes, Precision precision, unsigned gpus,
                          std::int64_t gpu_bytes, int processes = 1);

/// Those of these workers that solve a flow: its GPUs, or the cores where these are too small.
Workers workers_to_solve(Workers workers, std::int64_t nodes, Precision precision);

struct SolverChoice {
  bool solves = false;  ///< else steps
  unsigned gpus = 0;    ///< of each process, where it solves; 0: on cores
  std::string reason;
};

/// What processes that solve together have at least.
struct SolverRoom {
  int processes = 1;
  unsigned gpus = 0;            ///< each
  std::int64_t gpu_bytes = 0;   ///< left on each GPU
  std::int64_t main_bytes = 0;  ///< left in the main memory of all
};

/// Where both ways are open.
SolverChoice choose_solver(PreparedBox const& box, PermeabilityCase const& asked,
                           Workers const& workers, SolverRoom const& room);

}  // namespace tessera

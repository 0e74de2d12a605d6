// SPDX-License-Identifier: MIT
// Which way to a permeability is the shorter one, and whether it fits the memory.
#pragma once

#include <cstdint>
#include <string>

#include "permeability/permeability_case.hpp"
#include "plan/workers.hpp"

namespace tessera {

/// What the solver takes for a box, by measurement (docs/performance.md): bytes while it iterates
/// and, a little more, while it is set up; iterations until the permeability is good to the
/// tolerance, and how many time steps one of them is worth.
std::int64_t bytes_to_solve(std::int64_t nodes, Precision precision);
double expected_iterations(double tolerance);
double steps_an_iteration();

/// How many of the GPUs the solver takes: as many as its memory needs, more where each of them has
/// enough to do; 0: it does not fit. `gpu_bytes`: of each.
unsigned gpus_to_solve_on(std::int64_t nodes, Precision precision, unsigned gpus,
                          std::int64_t gpu_bytes);

/// Those of these workers that solve a flow: its GPUs, or the cores where these are too small.
Workers workers_to_solve(Workers workers, std::int64_t nodes, Precision precision);

struct SolverChoice {
  bool solves = false;  ///< else steps
  unsigned gpus = 0;    ///< of the workers, where it solves; 0: on cores
  std::string reason;
};

/// Where both ways are open. `gpu_bytes`, `main_bytes`: that are left on each GPU and in main
/// memory.
SolverChoice choose_solver(PreparedBox const& box, PermeabilityCase const& asked,
                           Workers const& workers, std::int64_t gpu_bytes, std::int64_t main_bytes);

}  // namespace tessera

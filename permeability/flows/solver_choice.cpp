// SPDX-License-Identifier: MIT
#include "permeability/flows/solver_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "permeability/permeability_plan.hpp"

namespace tessera {
namespace {

/// Seconds of the flow by the solver over those by steps, if it computes on the cores where steps
/// would be taken on GPUs.
double cores_against_gpus(PreparedBox const& box, PermeabilityCase const& asked,
                          Workers const& workers) {
  Workers cores = workers;
  cores.gpus = 0;
  double const solving = expected_iterations(asked.tolerance) * steps_an_iteration() /
                         expected_speed(cores, asked).value;
  return solving / (expected_steps(box, asked) / expected_speed(workers, asked).value);
}

}  // namespace

std::int64_t bytes_to_solve(std::int64_t nodes, Precision precision) {
  return nodes * (precision == Precision::double_precision ? 600 : 380);
}

std::int64_t bytes_to_solve(std::int64_t nodes, Precision precision, int processes) {
  std::int64_t const on_all = 70 * nodes;
  return on_all + (bytes_to_solve(nodes, precision) - on_all) / processes;
}

double expected_iterations(double tolerance) { return 10 * (1 - std::log10(tolerance)); }

double steps_an_iteration() { return 8; }

SolverChoice choose_solver(PreparedBox const& box, PermeabilityCase const& asked,
                           Workers const& workers, SolverRoom const& room, std::int64_t flows) {
  std::int64_t const nodes = box.nodes;
  std::int64_t const bytes = bytes_to_solve(nodes, asked.precision);
  std::string const need = fmt::format("it takes about {:.2g} GB", gigabytes(bytes));
  if (unsigned const gpus = gpus_to_solve_on(
          nodes, bytes_to_solve(nodes, asked.precision, room.processes), room, flows)) {
    std::string const one = room.processes == 1 ? "the GPU" : "a GPU of each process";
    std::string const several =
        fmt::format("{} GPUs{}", gpus, room.processes == 1 ? "" : " of each process");
    return {
        true, gpus,
        fmt::format("the flow is creeping and steady, and it fits {}", gpus == 1 ? one : several)};
  }
  if (bytes > room.main_bytes) {
    return {false, 0,
            fmt::format("{}, and {:.2g} GB of memory are left", need, gigabytes(room.main_bytes))};
  }
  if (room.gpus == 0) return {true, 0, "the flow is creeping and steady, and it fits the memory"};
  double const share = cores_against_gpus(box, asked, workers);
  std::string const why = fmt::format(
      "{}, a GPU has {:.2g} GB left; on the cores it is expected to take {:.2g} times as long "
      "as steps on GPUs",
      need, gigabytes(room.gpu_bytes), share);
  return {share < 1, 0, why};
}

}  // namespace tessera

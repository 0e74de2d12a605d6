// SPDX-License-Identifier: MIT
#include "permeability/solver_choice.hpp"

#include <fmt/format.h>

#include <cmath>

#include "permeability/permeability_plan.hpp"

namespace tessera {
namespace {

double gigabytes(std::int64_t bytes) { return static_cast<double>(bytes) * 1e-9; }

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

double expected_iterations(double tolerance) { return 10 * (1 - std::log10(tolerance)); }

double steps_an_iteration() { return 8; }

SolverChoice choose_solver(PreparedBox const& box, PermeabilityCase const& asked,
                           Workers const& workers, std::int64_t gpu_bytes,
                           std::int64_t main_bytes) {
  std::int64_t const bytes = bytes_to_solve(box.geometry.pore_voxels(), asked.precision);
  std::string const need = fmt::format("it takes about {:.2g} GB", gigabytes(bytes));
  if (workers.gpus > 0 && bytes <= gpu_bytes)
    return {true, true, "the flow is creeping and steady, and it fits the GPU"};
  if (bytes > main_bytes) {
    return {false, false,
            fmt::format("{}, and {:.2g} GB of memory are left", need, gigabytes(main_bytes))};
  }
  if (workers.gpus == 0)
    return {true, false, "the flow is creeping and steady, and it fits the memory"};
  double const share = cores_against_gpus(box, asked, workers);
  std::string const why = fmt::format(
      "{}, the GPU has {:.2g} GB left; on the cores it is expected to take {:.2g} times as long "
      "as steps on GPUs",
      need, gigabytes(gpu_bytes), share);
  return {share < 1, false, why};
}

}  // namespace tessera

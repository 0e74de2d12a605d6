// SPDX-License-Identifier: MIT
#include "permeability/permeability_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/lattice/measure.hpp"
#include "models/lattice/units.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "run/performance.hpp"
#include "run/plan/speeds.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

/// "3 s", "20 min", "5 h": no more digits than are known.
std::string duration(double seconds) {
  if (seconds < 2) return fmt::format("{:.1f} s", seconds);
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

char const* basis_of(ExpectedSpeed const& speed) {
  return speed.measured ? "as measured earlier" : "if the memory were all that limits";
}

}  // namespace

std::int64_t lattice_bytes(PreparedFlow const& prepared, PermeabilityCase const& asked) {
  auto const value = static_cast<std::int64_t>(bytes_of(asked.precision));
  std::int64_t bytes = 0, largest = 0;
  for (Tile const& tile : prepared.tiling.tiles) {
    std::int64_t const populations = static_cast<std::int64_t>(tile.population_values) * value;
    largest = std::max(largest, populations);
    bytes += populations + 2 * value * static_cast<std::int64_t>(tile.counts.outbox_values) +
             static_cast<std::int64_t>(tile.tables.size());
  }
  // A step needs a second lattice for each tile in work, one of which each worker has.
  std::int64_t const workers = prepared.workers.gpus > 0 ? 3 * std::int64_t{prepared.workers.gpus}
                                                         : std::int64_t{prepared.workers.cores};
  auto const tiles = static_cast<std::int64_t>(prepared.tiling.tiles.size());
  return bytes + std::min(workers, tiles) * largest;
}

double expected_steps(PreparedBox const& prepared, PermeabilityCase const& asked) {
  // The slowest wave along a pore or the box decays with 4 pi^2 over the length squared.
  constexpr double wave = 4 * std::numbers::pi * std::numbers::pi;
  constexpr double slower_than_the_mean = 5;  // seen: 2 in sphere arrays, 4 to 10 in Berea
  double const nu = viscosity(prepared.relaxation_time, asked.model.lattice);
  double const d2 = prepared.hydraulic_diameter * prepared.hydraulic_diameter;
  if (!std::isfinite(d2)) return static_cast<double>(asked.max_steps);
  auto const length = static_cast<double>(prepared.geometry.shape[prepared.axis]);
  double const velocity = d2 / (wave * nu);
  double const pressure = length * length / (wave * d2 / 100 / (3 * nu));
  double const steps = slower_than_the_mean * (velocity + pressure) * std::log(1 / asked.tolerance);
  return std::min(steps, static_cast<double>(asked.max_steps));
}

ExpectedSpeed expected_speed(Workers const& workers, TilesAsked const& asked) {
  bool const on_gpus = workers.gpus > 0;
  double const velocities = velocities_of(asked.model.lattice).size;
  Speeds const kept = kept_speeds(on_gpus ? 0 : workers.cores, workers.gpus, asked.precision);
  // In proportion to the velocities, as what is kept is D3Q19's.
  if (double const speed = on_gpus ? workers.gpus * kept.gpu : kept.cores; speed > 0)
    return {speed * D3Q19::size / velocities, true};
  double const gbs = on_gpus ? workers.gpus * copy_of_gpu() : copy_of_cores(workers.cores);
  return {gbs * 1e9 / (2 * velocities * static_cast<double>(bytes_of(asked.precision))), false};
}

std::string describe_flow(ImageResult const& image, FlowResult const& flow,
                          Workers const& workers) {
  std::string const size = voxel_size_text(image);
  std::string const pore = image.threshold ? fmt::format("pore is {}", *image.threshold)
                                           : fmt::format("pore is label {}", *image.pore);
  std::string const layers =
      flow.buffer_layers ? fmt::format(", {} layers of fluid at each end", *flow.buffer_layers)
                         : "";
  std::string const gpus =
      workers.gpus > 0
          ? fmt::format("{} GPU{}{}", workers.gpus, workers.gpus == 1 ? "" : "s",
                        workers.cores_share > 0 ? fmt::format(" and {} cores", workers.cores) : "")
          : fmt::format("{} core{}", workers.cores, workers.cores == 1 ? "" : "s");
  return fmt::format(
      "image     {}: {} x {} x {} voxels{}, {}\n"
      "set-up    {}{}\n"
      "model     {}, {}, {} precision\n"
      "ends      when the error of k is below {:g}, or after {} steps\n"
      "workers   {}\n",
      image.path, image.shape.x, image.shape.y, image.shape.z, size, pore, flow.setup, layers,
      flow.lattice, flow.collision, flow.precision, flow.tolerance, flow.max_steps, gpus);
}

std::string describe_solving(PreparedBox const& box, PermeabilityCase const& asked,
                             ExpectedSpeed speed) {
  double const iterations = expected_iterations(asked.tolerance);
  double const steps = iterations * steps_an_iteration();
  std::int64_t const nodes = box.nodes;
  std::int64_t const bytes = bytes_to_solve(nodes, asked.precision);
  return fmt::format(
      "along {}   {} fluid nodes in 1 tile, solved for by minres\n"
      "memory    {:.2g} GB for the lattice, {:.2g} GB in all\n"
      "time      by an order of magnitude: {:.0f} steps of work in {:.0f} iterations, {}{} ({:.0f} "
      "MFLUPS, {})\n",
      name_of(box.axis), nodes, gigabytes(bytes), gigabytes(bytes + peak_memory_bytes()), steps,
      iterations, speed.measured ? "" : "at least ",
      duration(steps * static_cast<double>(nodes) / speed.value), speed.value * 1e-6,
      basis_of(speed));
}

ExpectedCost expected_cost(std::int64_t fluid_nodes, PermeabilityCase const& asked,
                           ExpectedSpeed speed) {
  double const steps = expected_iterations(asked.tolerance) * steps_an_iteration();
  return {.bytes = bytes_to_solve(fluid_nodes, asked.precision),
          .seconds = steps * static_cast<double>(fluid_nodes) / speed.value};
}

std::string describe_cost(ExpectedCost const& cost) {
  return fmt::format("{:.2g} GB of memory, {} along each axis, by an order of magnitude",
                     gigabytes(cost.bytes + peak_memory_bytes()), duration(cost.seconds));
}

std::string describe_plan(PreparedFlow const& prepared, PermeabilityCase const& asked,
                          ExpectedSpeed speed) {
  auto const nodes = static_cast<double>(prepared.tiling.nodes);
  double const steps = expected_steps(prepared, asked);
  std::int64_t const lattice = lattice_bytes(prepared, asked);
  return fmt::format(
      "along {}   {} fluid nodes in {} tiles, relaxation time {:.4f}, body force {:.3g}\n"
      "memory    {:.2g} GB for the lattice, {:.2g} GB in all\n"
      "time      by an order of magnitude: {:.0e} steps, {}{} ({:.0f} MFLUPS, {})\n",
      name_of(prepared.axis), prepared.tiling.nodes, prepared.tiling.tiles.size(),
      prepared.relaxation_time, prepared.body_force, gigabytes(lattice),
      gigabytes(lattice + peak_memory_bytes()), steps, speed.measured ? "" : "at least ",
      duration(steps * nodes / speed.value), speed.value * 1e-6, basis_of(speed));
}

}  // namespace tessera

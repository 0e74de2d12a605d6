// SPDX-License-Identifier: MIT
#include "app/report.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "codelets/cpu_kernels.hpp"
#include "graph/runtime.hpp"
#include "lattice/units.hpp"
#include "partition/cut.hpp"
#include "tessera_version.hpp"

namespace tessera {
namespace {

void print_worker(WorkerResult const& worker) {
  double const total = worker.busy_s + worker.waiting_s;
  double const percent = total > 0 ? 100 / total : 0;
  fmt::print("{:<24} {:>10} {:>8.1f} {:>10.1f}", worker.name, worker.tasks, worker.busy_s * percent,
             worker.waiting_s * percent);
  if (worker.nodes > 0) fmt::print(" {:>15}", worker.nodes);
  fmt::print("\n");
}

std::string error_in_words(double estimate) {
  return std::isfinite(estimate) ? fmt::format("{:.1e}", estimate) : "not known yet";
}

}  // namespace

double half_rounding_error(double mean_pore_speed, double body_force, double length) {
  constexpr double rounding = 3e-4;  // a little more than half a last digit of 11 bits
  double const flow = std::abs(mean_pore_speed / body_force);
  return rounding * (flow + length / flow);
}

PermeabilityResult permeability_result(AxisReport const& report) {
  FlowPoint const& last = report.outcome.last;
  PermeabilityResult result;
  double const gradient = report.body_force / report.sample_share;
  for (std::size_t a = 0; a < 3; ++a) {
    result.column_lattice[a] =
        darcy_permeability(report.viscosity, last.mean_velocity[a], gradient);
    result.mean_velocity_lattice[a] = last.mean_velocity[a];
  }
  result.converged = report.outcome.reason == StopReason::converged;
  result.steps = report.outcome.steps;
  result.change = report.outcome.change;
  result.reynolds = report.reynolds;
  result.mach = report.max_speed / std::sqrt(D3Q19::sound_speed_squared);
  result.error_estimate = last.error_estimate;
  result.force_balance = last.force_balance;
  result.stop_reason = describe(report.outcome.reason);
  result.relaxation_time = report.relaxation_time;
  result.body_force_lattice = report.body_force;
  return result;
}

std::string imbalance_line(BalanceResult const& balance) {
  if (balance.looks.empty()) return {};
  double sum = 0, looks = 0, largest = 0;
  for (BalanceResult::Look const& look : balance.looks) {
    sum += look.imbalance * static_cast<double>(look.looks);
    looks += static_cast<double>(look.looks);
    largest = std::max(largest, look.largest_imbalance);
  }
  return fmt::format(
      "imbalance of the domains: the slowest {:.1f} % above the mean, at most {:.1f} %, at last "
      "{:.1f} %",
      100 * sum / looks, 100 * largest, 100 * balance.looks.back().imbalance);
}

void print_image(Results const& results) {
  fmt::print("{}: {} x {} x {} voxels", results.image.path, results.image.shape.x,
             results.image.shape.y, results.image.shape.z);
  if (results.image.voxel_size_m) fmt::print(" of {:.4g} um", *results.image.voxel_size_m * 1e6);
  fmt::print(", porosity {:.6f}\n", results.porosity.total);
}

void print_permeability(Results const& results, AxisReport const& report) {
  PermeabilityResult const& result = *results.permeability[index_of(report.axis)];
  double const k = result.column_lattice[index_of(report.axis)];
  if (report.outcome.reason == StopReason::diverged) {
    fmt::print("k_{} unknown: the flow diverged\n", name_of(report.axis));
    return;
  }
  fmt::print("k_{} = ", name_of(report.axis));
  if (results.image.voxel_size_m) {
    double const k_m2 = k * *results.image.voxel_size_m * *results.image.voxel_size_m;
    fmt::print("{:.5g} mD = {:.5g} m^2 = ", k_m2 / millidarcy_m2, k_m2);
  }
  fmt::print("{:.8g} voxels^2\n", k);
  fmt::print(
      "      {} after {} steps: error {}, drag/force {:.5f}; percolating porosity {:.6f}, Re "
      "{:.1e}, Ma {:.1e}\n",
      result.stop_reason, result.steps, error_in_words(report.outcome.last.error_estimate),
      report.outcome.last.force_balance,
      results.porosity.percolating[index_of(report.axis)].value_or(0), result.reynolds,
      result.mach);
}

void print_performance(PerformanceResult const& p) {
  fmt::print(
      "{} fluid nodes in {} tile{}, {:.1f} MFLUPS, {:.1f} B a node, {:.1f} s (and {:.1f} s to "
      "prepare), {:.2f} GB\n",
      p.fluid_nodes, p.tiles, p.tiles == 1 ? "" : "s", p.mflups, p.bytes_per_fluid_node, p.seconds,
      p.prepare_seconds, static_cast<double>(p.peak_memory_bytes) * 1e-9);
  if (!p.balance.workers.empty()) fmt::print("{}\n", p.balance.workers);
  if (std::string const line = imbalance_line(p.balance); !line.empty()) fmt::print("{}\n", line);
  if (p.balance.moves > 0) {
    fmt::print("{} tile{} moved between memories, {:.1f} MB\n", p.balance.moves,
               p.balance.moves == 1 ? "" : "s", static_cast<double>(p.balance.bytes_moved) * 1e-6);
  }
  if (p.balance.cuts > 0) {
    fmt::print("the lattice was cut anew {} time{} while it ran, {:.1f} MB, {:.2f} s\n",
               p.balance.cuts, p.balance.cuts == 1 ? "" : "s",
               static_cast<double>(p.balance.bytes_cut) * 1e-6, p.balance.cut_seconds);
  }
}

void print_workers(std::vector<WorkerResult> const& workers) {
  std::vector<WorkerResult> shown;
  std::ranges::copy_if(workers, std::back_inserter(shown),
                       [](auto const& w) { return w.tasks > 0; });
  if (shown.empty()) return;
  constexpr std::size_t ends = 6;  // of a long table, the busiest and the idlest
  if (shown.size() > 2 * ends) std::ranges::sort(shown, std::greater{}, &WorkerResult::busy_s);
  double sum = 0, most = 0, count = 0;
  for (WorkerResult const& worker : shown) {
    if (worker.nodes == 0) continue;  // it only collected sums
    sum += worker.busy_s;
    most = std::max(most, worker.busy_s);
    ++count;
  }
  bool const nodes = std::ranges::any_of(shown, [](auto const& w) { return w.nodes > 0; });
  fmt::print("{:<24} {:>10} {:>8} {:>10}{}\n", "worker", "tasks", "busy %", "waiting %",
             nodes ? "   nodes updated" : "");
  for (std::size_t w = 0; w < shown.size(); ++w) {
    if (shown.size() > 2 * ends && w == ends) {
      fmt::print("  ... {} more ...\n", shown.size() - 2 * ends);
      w = shown.size() - ends;
    }
    print_worker(shown[w]);
  }
  fmt::print("imbalance of the workers: the busiest {:.1f} % above the mean\n",
             sum > 0 ? 100 * (most * count / sum - 1) : 0.0);
}

void print_in_situ(InSituResult const& result) {
  fmt::print("in situ: {} looks at the flow, {:.1f} s beside it, {:.1f} MB copied",
             result.executions, result.seconds, static_cast<double>(result.bytes) * 1e-6);
  if (result.waited > 0)
    fmt::print("; the flow waited {} times, {:.1f} s", result.waited, result.waited_s);
  if (result.dropped > 0) fmt::print("; {} looks left out", result.dropped);
  if (!result.errors.empty()) {
    fmt::print("; {} error{}, see results.json", result.errors.size(),
               result.errors.size() == 1 ? "" : "s");
  }
  fmt::print("\n");
}

void print_warnings(PermeabilityResult const& result, AxisReport const& report) {
  char const axis = name_of(report.axis);
  if (report.outcome.reason == StopReason::diverged) {
    spdlog::error(
        "tessera: the flow along {} diverged by step {} in tile {}: take a larger relaxation time "
        "or a smaller force",
        axis, report.outcome.last.step, report.outcome.broken_tile);
    return;
  }
  if (!result.converged) spdlog::warn("{}: not converged: {}", axis, result.stop_reason);
  if (result.reynolds > 0.1) {
    spdlog::warn("{}: Reynolds number {:.2g} > 0.1: inertia, not Darcy's law", axis,
                 result.reynolds);
  }
  if (result.mach > 0.1)
    spdlog::warn("{}: Mach number {:.2g} > 0.1: the flow is compressed", axis, result.mach);
  if (report.rounding_error > 0.01) {
    spdlog::warn("{}: rounding to 16 bits may have changed k by {:.0f} %: --precision single", axis,
                 100 * report.rounding_error);
  }
}

SoftwareResult software_result() {
  SoftwareResult software;
  software.version = version;
  software.commit = commit;
  software.starpu = Runtime::version();
  software.metis = metis_version();
  software.cuda = Runtime::cuda_version();
  software.compiler = compiler;
  software.instruction_set = best_cpu_kernels().instruction_set;
  return software;
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace tessera

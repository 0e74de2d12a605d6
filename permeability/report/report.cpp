// SPDX-License-Identifier: MIT
#include "permeability/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/settings.hpp"
#include "models/lattice/units.hpp"
#include "run/console/log.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

std::string error_in_words(double estimate) {
  return std::isfinite(estimate) ? fmt::format("{:.1e}", estimate) : "not known yet";
}

std::string effort_in_words(AxisReport const& report) {
  PermeabilityPoint const& last = report.outcome.last;
  std::string const error = error_in_words(report.outcome.error());
  if (report.solver.kind == Solver::steps) {
    return fmt::format("{} steps: solver error {}, drag/force {:.5f}", report.outcome.steps, error,
                       last.force_balance);
  }
  return fmt::format(
      "{} iterations (the work of {:.0f} steps): solver error {}, slices differ by {:.1e}",
      report.solver.iterations, report.solver.step_equivalents, error, report.solver.slice_spread);
}

/// k of a rectangular duct whose shorter side is `a`, of which the longer one is a / ratio: to 0.2
/// % of the series (White, Viscous Fluid Flow).
double duct_permeability(double a, double ratio) {
  return a * a / 12 * (1 - 0.63 * ratio + 0.052 * std::pow(ratio, 5));
}

/// Resistance of the layers of fluid at the ends, an open duct, over that of a sample of this k.
double buffer_share(PreparedBox const& box, double k) {
  std::vector<double> sides;
  for (Axis const across : all_axes) {
    bool const is_plane = across == Axis::z && box.geometry.shape.z == 1;
    if (across != box.axis && !is_plane)
      sides.push_back(static_cast<double>(box.geometry.shape[across]));
  }
  std::ranges::sort(sides);
  double const ratio = sides.size() > 1 ? sides.front() / sides.back() : 0;
  return (1 / box.sample_share - 1) * k / duct_permeability(sides.front(), ratio);
}

}  // namespace

AxisReport axis_report(PreparedBox const& box, Precision precision, double body_force,
                       PermeabilityOutcome outcome) {
  AxisReport report{.axis = box.axis,
                    .precision = precision,
                    .outcome = std::move(outcome),
                    .relaxation_time = box.relaxation_time,
                    .body_force = body_force,
                    .viscosity = box.viscosity,
                    .sample_share = box.sample_share,
                    .max_speed = std::numeric_limits<double>::quiet_NaN()};  // the fields will tell
  PermeabilityPoint const& last = report.outcome.last;
  double const superficial = last.mean_velocity[index_of(box.axis)];
  report.reynolds = box.reynolds(superficial, last.sample_nodes);
  report.buffer_share = buffer_share(box, last.k_lattice);
  return report;
}

PermeabilityResult permeability_result(AxisReport const& report) {
  PermeabilityPoint const& last = report.outcome.last;
  PermeabilityResult result;
  double const gradient = report.body_force / report.sample_share;
  for (std::size_t a = 0; a < 3; ++a) {
    result.column_lattice[a] =
        darcy_permeability(report.viscosity, last.mean_velocity[a], gradient);
    result.mean_velocity_lattice[a] = last.mean_velocity[a];
  }
  result.converged = report.outcome.end == RunEnd::settled;
  result.steps = report.outcome.steps;
  result.change = report.outcome.change;
  result.reynolds = report.reynolds;
  result.mach = report.max_speed / std::sqrt(D3Q19::sound_speed_squared);
  result.error_estimate = report.outcome.error();
  if (std::isfinite(last.force_balance)) result.force_balance = last.force_balance;
  result.stop_reason = describe(report.outcome.end, permeability_ends);
  result.relaxation_time = report.relaxation_time;
  result.body_force_lattice = report.body_force;
  result.solver = report.solver;
  result.slip = report.slip;
  return result;
}

void print_image(Results const& results) {
  fmt::print("{}: {} x {} x {} voxels", results.image.path, results.image.shape.x,
             results.image.shape.y, results.image.shape.z);
  fmt::print("{}", voxel_size_text(results.image));
  fmt::print(", porosity {:.6f}", results.porosity.total);
  if (results.porosity.grey) fmt::print(" and {:.6f} grey", *results.porosity.grey);
  fmt::print("\n");
}

void print_permeability(Results const& results, AxisReport const& report) {
  PermeabilityResult const& result = *results.permeability[index_of(report.axis)];
  double const k = result.column_lattice[index_of(report.axis)];
  if (report.outcome.end == RunEnd::diverged) {
    fmt::print("k_{} unknown: the flow diverged\n", name_of(report.axis));
    return;
  }
  fmt::print("k_{} = ", name_of(report.axis));
  if (results.image.voxel_size_m) {
    double const k_m2 = k * *results.image.voxel_size_m * *results.image.voxel_size_m;
    fmt::print("{:.5g} mD = {:.5g} m^2 = ", k_m2 / millidarcy_m2, k_m2);
  }
  fmt::print("{:.8g} voxels^2\n", k);
  fmt::print("      {} after {}; percolating porosity {:.6f}, Re {:.1e}, Ma {:.1e}\n",
             result.stop_reason, effort_in_words(report),
             results.porosity.percolating[index_of(report.axis)].value_or(0), result.reynolds,
             result.mach);
}

void print_slip(Results const& results, Axis axis) {
  PermeabilityResult const& result = *results.permeability[index_of(axis)];
  if (!result.slip) return;
  double const share = result.slip->slope / result.column_lattice[index_of(axis)];
  fmt::print("      with slip: k_{} (1 + {:.4g} l) for a slip length of l voxels", name_of(axis),
             share);
  if (auto const b = result.slip->klinkenberg_pa) {
    fmt::print("; {} at {:g} K: k_{} (1 + b/p), b = {:.4g} Pa", result.slip->gas,
               result.slip->temperature_k, name_of(axis), *b);
  }
  fmt::print("\n");
}

namespace {

/// A line of k along an axis and the ends of an interval, each in the largest unit there is.
void print_interval(Results const& results, Axis axis, std::string const& of, double lower,
                    double upper) {
  PermeabilityResult const& result = *results.permeability[index_of(axis)];
  bool const in_md = results.image.voxel_size_m.has_value();
  double const unit = in_md ? millidarcys(1, *results.image.voxel_size_m) : 1.0;
  fmt::print("      k_{} = {:.4g} {}; {}: {:.4g} ... {:.4g}; solver: +- {:.1g} %\n", name_of(axis),
             unit * result.column_lattice[index_of(axis)], in_md ? "mD" : "voxels^2", of,
             unit * lower, unit * upper, 100 * result.error_estimate.value_or(0));
}

}  // namespace

void print_interval(Results const& results, Axis axis) {
  auto const& voxels = results.permeability[index_of(axis)]->voxels;
  if (voxels) print_interval(results, axis, "voxels", voxels->lower, voxels->upper);
}

void print_thresholds(Results const& results, Axis axis) {
  auto const& found = results.permeability[index_of(axis)]->thresholds;
  if (!found) return;
  std::string const of =
      fmt::format("thresholds {:g} ... {:g}", found->thresholds.front(), found->thresholds.back());
  print_interval(results, axis, of, found->lower, found->upper);
}

void print_warnings(PermeabilityResult const& result, AxisReport const& report) {
  std::string const& axis = axis_name(report.axis);
  if (report.outcome.end == RunEnd::diverged) {
    if (report.solver.kind == Solver::minres) {
      log_error("tessera: the solver broke down along {} after {} iterations: {}", axis,
                report.outcome.steps, setting_text("solver", "steps"));
      return;
    }
    log_error(
        "tessera: the flow along {} diverged by step {} in tile {}: take a larger relaxation time "
        "or a smaller force",
        axis, report.outcome.last.step, report.outcome.broken_tile);
    return;
  }
  if (!result.converged) log_warning("{}: not converged: {}", axis, result.stop_reason);
  constexpr double least_share_to_tell = 0.05;
  if (result.converged && report.buffer_share > least_share_to_tell) {
    log_warning(
        "{}: the layers of fluid at the ends resist the flow, too, by some {:.0f} % of what the "
        "sample does, and k is that much too small: {} has none",
        axis, 100 * report.buffer_share, setting_name("mirror"));
  }
  if (result.reynolds > 0.1) {
    log_warning("{}: Reynolds number {:.2g} > 0.1: inertia, not Darcy's law", axis,
                result.reynolds);
  }
  if (result.mach > 0.1)
    log_warning("{}: Mach number {:.2g} > 0.1: the flow is compressed", axis, result.mach);
  // With minres the error is the difference of its state from the recurrence, which is within the
  // tolerance once it has been confirmed.
  bool const may_be_rounding =
      report.precision != Precision::double_precision && !report.solver.confirmed;
  if (may_be_rounding && report.outcome.rounding_error > 0.01) {
    bool const half = report.precision == Precision::half_storage;
    log_warning("{}: rounding to {} bits may have changed k by {:.0f} %: {}", axis, half ? 16 : 32,
                100 * report.outcome.rounding_error,
                setting_text("precision", half ? "single" : "double"));
  }
}

}  // namespace tessera

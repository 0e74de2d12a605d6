// SPDX-License-Identifier: MIT
// What the user gets to read at the end: results.json, convergence.csv, the summary on one screen,
// warnings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/results/results.hpp"
#include "permeability/flows/permeability_run.hpp"

namespace tessera {

/// A finished flow along one axis.
struct AxisReport {
  Axis axis = Axis::x;
  Precision precision = Precision::single_precision;
  PermeabilityOutcome outcome;
  double relaxation_time = 0;
  double body_force = 0;
  double viscosity = 0;
  double sample_share = 1;
  double max_speed = 0;  ///< lattice units
  /// Resistance of the layers of fluid at the ends over that of the sample, about.
  double buffer_share = 0;
  double reynolds = 0;  ///< by the mean speed in the pores and their hydraulic diameter
  SolverResult solver;
  std::optional<SlipResult> slip{};
};

/// `body_force`: as it was in the end.
AxisReport axis_report(PreparedBox const& box, Precision precision, double body_force,
                       PermeabilityOutcome outcome);

/// Fills in permeability.x|y|z.
PermeabilityResult permeability_result(AxisReport const& report);

/// What slip adds, in a line.
void print_slip(Results const& results, Axis axis);

/// Prints which image it is.
void print_image(Results const& results);

/// Prints what voxels and solver leave open of it.
void print_interval(Results const& results, Axis axis);
/// Prints k beside what the thresholds leave open of it, if that was asked for.
void print_thresholds(Results const& results, Axis axis);

/// Prints the permeability along an axis, and what there is to say of it.
void print_permeability(Results const& results, AxisReport const& report);

/// Warns of what makes a permeability doubtful: inertia, compressibility, rounding, no
/// convergence.
void print_warnings(PermeabilityResult const& result, AxisReport const& report);

}  // namespace tessera

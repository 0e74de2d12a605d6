// SPDX-License-Identifier: MIT
// What people see of a permeability while its flow runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "permeability/flows/permeability_run.hpp"
#include "run/console/log.hpp"
#include "run/progress_line.hpp"

namespace tessera {

/// Step or iteration, permeability so far, its error, speed, time left: one line at a pace, or,
/// verbose, for each point. Of a run that begins after `first_step`.
class Progress {
 public:
  Progress(Axis axis, std::int64_t nodes, double tolerance, Verbosity verbosity,
           std::optional<double> voxel_size_m, std::int64_t first_step = 0,
           Pace pace = Pace::of_standard_error(), std::string const& unit = "step");

  /// A new point.
  void show(PermeabilityPoint const& point);
  /// So many steps have been submitted.
  void stepped(std::int64_t step);

 private:
  void print(std::int64_t step);
  std::optional<double> seconds_left(PermeabilityPoint const& point, double elapsed);

  ProgressLine line_;
  double tolerance_;
  Verbosity verbosity_;
  std::optional<double> voxel_size_m_;
  std::int64_t first_step_;
  std::optional<PermeabilityPoint> earlier_;  ///< that the time left is told by
  std::optional<PermeabilityPoint> last_;
};

}  // namespace tessera

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

/// The run whose progress is shown.
struct ProgressOf {
  Axis axis = Axis::x;
  std::int64_t nodes = 0;
  double tolerance = 0;  ///< relative error of the permeability that is asked for
  Verbosity verbosity = Verbosity::normal;
  std::optional<double> voxel_size_m = std::nullopt;
  std::int64_t first_step = 0;  ///< the step after which the run begins
  Pace pace = Pace::of_standard_error();
  std::string unit = "step";  ///< what is counted: "step" or "iteration"
};

/// Prints step or iteration, permeability so far, its error, speed and time left: one line at a
/// pace, or, verbose, for each point.
class Progress {
 public:
  explicit Progress(ProgressOf const& run);

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
  std::optional<PermeabilityPoint> earlier_;  ///< the time left follows from it and the last one
  std::optional<PermeabilityPoint> last_;
};

}  // namespace tessera

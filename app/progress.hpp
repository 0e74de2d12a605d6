// SPDX-License-Identifier: MIT
// What people see of a flow while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "app/flow_run.hpp"
#include "app/pace.hpp"

namespace tessera {

enum class Verbosity : std::uint8_t { quiet, normal, verbose };

/// Step, permeability so far, its error, speed, time left: one line at a pace, or, verbose, for
/// each point. Of a run that begins after `first_step`.
class Progress {
 public:
  Progress(Axis axis, std::int64_t nodes, double tolerance, Verbosity verbosity,
           std::optional<double> voxel_size_m, std::int64_t first_step = 0,
           Pace pace = Pace::of_standard_error());
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  /// A new point.
  void show(FlowPoint const& point);
  /// So many steps have been submitted.
  void stepped(std::int64_t step);

 private:
  void print(std::int64_t step);
  std::optional<double> seconds_left(FlowPoint const& point, double elapsed);

  Axis axis_;
  std::int64_t nodes_;
  double tolerance_;
  Verbosity verbosity_;
  std::optional<double> voxel_size_m_;
  std::int64_t first_step_;
  Pace pace_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<FlowPoint> earlier_;  ///< that the time left is told by
  std::optional<FlowPoint> last_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What a person at a terminal sees while a flow runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "app/flow_run.hpp"

namespace tessera {

enum class Verbosity : std::uint8_t { quiet, normal, verbose };

/// One line that is rewritten: step, permeability so far, its error, speed, time left. Silent where
/// standard error is no terminal, unless verbose: then one line a point.
class Progress {
 public:
  Progress(Axis axis, std::int64_t nodes, double tolerance, Verbosity verbosity,
           std::optional<double> voxel_size_m);
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  void show(FlowPoint const& point);

 private:
  std::optional<double> seconds_left(FlowPoint const& point, double elapsed);

  Axis axis_;
  std::int64_t nodes_;
  double tolerance_;
  bool rewrite_;
  bool silent_;
  std::optional<double> voxel_size_m_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<FlowPoint> earlier_;
};

}  // namespace tessera

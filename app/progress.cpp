// SPDX-License-Identifier: MIT
#include "app/progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "app/streams.hpp"
#include "lattice/units.hpp"

namespace tessera {

Progress::Progress(Axis axis, std::int64_t nodes, double tolerance, Verbosity verbosity,
                   std::optional<double> voxel_size_m, std::int64_t first_step, Pace pace)
    : axis_(axis),
      nodes_(nodes),
      tolerance_(tolerance),
      verbosity_(verbosity),
      voxel_size_m_(voxel_size_m),
      first_step_(first_step),
      pace_(verbosity == Verbosity::verbose ? Pace::in_lines() : pace) {}

Progress::~Progress() {
  if (verbosity_ == Verbosity::normal) say(pace_.end());
}

/// The error falls like exp(-t/T); T follows from two points.
std::optional<double> Progress::seconds_left(FlowPoint const& point, double elapsed) {
  if (!earlier_ || point.step == earlier_->step) return std::nullopt;
  double const fallen = std::log(earlier_->error_estimate / point.error_estimate);
  double const still = std::log(point.error_estimate / tolerance_);
  if (!(fallen > 0)) return std::nullopt;
  double const steps_left =
      std::max(still, 0.0) / fallen * static_cast<double>(point.step - earlier_->step);
  return steps_left * elapsed / static_cast<double>(point.step - first_step_);
}

void Progress::show(FlowPoint const& point) {
  last_ = point;
  if (!earlier_ && std::isfinite(point.error_estimate)) earlier_ = point;
  if (verbosity_ == Verbosity::verbose) print(point.step);
}

void Progress::stepped(std::int64_t step) {
  if (verbosity_ == Verbosity::normal && pace_.is_due()) print(step);
}

void Progress::print(std::int64_t step) {
  double const elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  double const mflups =
      static_cast<double>(step - first_step_) * static_cast<double>(nodes_) / elapsed * 1e-6;
  std::string known;
  std::optional<double> left;
  if (last_) {
    double const k = last_->k_lattice;
    std::string const in_units =
        voxel_size_m_
            ? fmt::format("{:.5g} mD", k * *voxel_size_m_ * *voxel_size_m_ / millidarcy_m2)
            : fmt::format("{:.6g} voxels^2", k);
    std::string const error =
        std::isfinite(last_->error_estimate) ? fmt::format("{:.1e}", last_->error_estimate) : "?";
    known =
        fmt::format("k = {}  error {}  balance {:.4f}  ", in_units, error, last_->force_balance);
    left = seconds_left(*last_, elapsed);
  }
  say(pace_.line(fmt::format("{}: step {}  {}{:.1f} MFLUPS  left {}", name_of(axis_), step, known,
                             mflups, left ? fmt::format("{:.0f} s", *left) : "?")));
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "lattice/units.hpp"

namespace tessera {

Progress::Progress(Axis axis, std::int64_t nodes, double tolerance, Verbosity verbosity,
                   std::optional<double> voxel_size_m)
    : axis_(axis),
      nodes_(nodes),
      tolerance_(tolerance),
      rewrite_(isatty(STDERR_FILENO) != 0 && verbosity == Verbosity::normal),
      silent_(verbosity == Verbosity::quiet || (verbosity == Verbosity::normal && !rewrite_)),
      voxel_size_m_(voxel_size_m) {}

Progress::~Progress() {
  if (rewrite_) fmt::print(stderr, "\r\033[K");
}

/// The error falls like exp(-t/T); T follows from two points.
std::optional<double> Progress::seconds_left(FlowPoint const& point, double elapsed) {
  if (!std::isfinite(point.error_estimate)) return std::nullopt;
  if (!earlier_) {
    earlier_ = point;
    return std::nullopt;
  }
  double const fallen = std::log(earlier_->error_estimate / point.error_estimate);
  double const still = std::log(point.error_estimate / tolerance_);
  if (!(fallen > 0)) return std::nullopt;
  double const steps_left =
      std::max(still, 0.0) / fallen * static_cast<double>(point.step - earlier_->step);
  return steps_left * elapsed / static_cast<double>(point.step);
}

void Progress::show(FlowPoint const& point) {
  if (silent_) return;
  double const elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  double const mflups =
      static_cast<double>(point.step) * static_cast<double>(nodes_) / elapsed * 1e-6;
  std::string const k = voxel_size_m_ ? fmt::format("{:.5g} mD", point.k_lattice * *voxel_size_m_ *
                                                                     *voxel_size_m_ / millidarcy_m2)
                                      : fmt::format("{:.6g} voxels^2", point.k_lattice);
  std::string const error =
      std::isfinite(point.error_estimate) ? fmt::format("{:.1e}", point.error_estimate) : "?";
  auto const left = seconds_left(point, elapsed);
  fmt::print(stderr, "{}{}: step {}  k = {}  error {}  balance {:.4f}  {:.1f} MFLUPS  left {}{}",
             rewrite_ ? "\r\033[K" : "", name_of(axis_), point.step, k, error, point.force_balance,
             mflups, left ? fmt::format("{:.0f} s", *left) : "?", rewrite_ ? "" : "\n");
}

}  // namespace tessera

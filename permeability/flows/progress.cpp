// SPDX-License-Identifier: MIT
#include "permeability/flows/progress.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/ranks/ranks.hpp"
#include "models/lattice/units.hpp"

namespace tessera {

Progress::Progress(ProgressOf const& run)
    : line_(fmt::format("{}: ", name_of(run.axis)), run.nodes, run.first_step,
            run.verbosity != Verbosity::normal,
            run.verbosity == Verbosity::verbose ? Pace::in_lines() : run.pace, run.unit),
      tolerance_(run.tolerance),
      verbosity_(run.verbosity),
      voxel_size_m_(run.voxel_size_m),
      first_step_(run.first_step) {}

/// The error falls like exp(-t/T); T follows from two points.
std::optional<double> Progress::seconds_left(PermeabilityPoint const& point, double elapsed) {
  if (!earlier_ || point.step == earlier_->step) return std::nullopt;
  double const fallen = std::log(earlier_->error_estimate / point.error_estimate);
  double const still = std::log(point.error_estimate / tolerance_);
  if (!(fallen > 0)) return std::nullopt;
  double const steps_left =
      std::max(still, 0.0) / fallen * static_cast<double>(point.step - earlier_->step);
  return steps_left * elapsed / static_cast<double>(point.step - first_step_);
}

void Progress::show(PermeabilityPoint const& point) {
  last_ = point;
  if (!earlier_ && std::isfinite(point.error_estimate)) earlier_ = point;
  if (verbosity_ == Verbosity::verbose && Ranks::is_root()) print(point.step);
}

void Progress::stepped(std::int64_t step) {
  if (line_.is_due()) print(step);
}

void Progress::print(std::int64_t step) {
  std::string known;
  std::optional<double> left;
  if (last_) {
    double const k = last_->k_lattice;
    std::string const in_units = voxel_size_m_
                                     ? fmt::format("{:.5g} mD", millidarcys(k, *voxel_size_m_))
                                     : fmt::format("{:.6g} voxels^2", k);
    std::string const error =
        std::isfinite(last_->error_estimate) ? fmt::format("{:.1e}", last_->error_estimate) : "?";
    known = fmt::format("k = {}  solver error {}  ", in_units, error);
    if (std::isfinite(last_->force_balance))
      known += fmt::format("balance {:.4f}  ", last_->force_balance);
    left = seconds_left(*last_, line_.elapsed());
  }
  line_.print(step, std::nullopt, known,
              fmt::format("  left {}", left ? fmt::format("{:.0f} s", *left) : "?"));
}

}  // namespace tessera

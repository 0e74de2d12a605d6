// SPDX-License-Identifier: MIT
#include "case/lattice/mass_keeping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/json.hpp"

namespace tessera {
namespace {

/// Relative: below it nothing is done.
constexpr double least_gain = 1e-5;
/// Relative: above it a warning says so.
constexpr double most_gain = 1e-3;
/// Walls that move along themselves carry as much to one side as to the other; those that move
/// through themselves, as a piston does, are meant to change the mass.
constexpr double most_carried_on = 0.25;
/// Beyond rounding.
constexpr double least_carried_on = 1e-9;

}  // namespace

bool is_closed(Case const& c) {
  return std::ranges::all_of(c.boundaries, [](Case::Boundary const& b) {
    return traits_of(b.type).wall || b.type == Case::BoundaryType::slip;
  });
}

bool MassKeeping::can_supply(WallTotals const& walls, Precision precision) {
  // A supply for a step is less than the last digit of half precision.
  if (precision == Precision::half_storage) return false;
  double const carried =
      walls.carried_either_way > 0 ? std::abs(walls.carried) / walls.carried_either_way : 0;
  if (carried > most_carried_on) return false;
  return walls.leaking_weight > 0 || carried > least_carried_on;
}

MassKeeping::MassKeeping(Measurement const& first, WallTotals const& walls, Precision precision)
    : first_mass_(first.total.nodes + first.total.density_shift),
      first_shift_(first.total.density_shift),
      nodes_(first.total.nodes),
      weight_(walls.weight),
      can_supply_(can_supply(walls, precision)),
      step_(first.step) {}

double MassKeeping::supply_after(Measurement const& measurement, std::int64_t steps_to_next) {
  if (measurement.step <= step_) return supply_;
  auto const steps = static_cast<double>(measurement.step - step_);
  double const gain = measurement.total.density_shift - first_shift_;
  double const gain_in_a_step = (gain - gain_) / steps;
  given_ = given(measurement.step);
  step_ = measurement.step;
  gain_ = gain;
  has_begun_ = has_begun_ || std::abs(gain) > least_gain * nodes_;
  // Half of what is missing comes back until the next check: that damps what the check itself does.
  if (has_begun_)
    supply_ -= (gain_in_a_step + gain / (2 * static_cast<double>(steps_to_next))) / weight_;
  return supply_;
}

double MassKeeping::given(std::int64_t step) const {
  return given_ + supply_ * weight_ * static_cast<double>(step - step_);
}

std::optional<std::string> MassKeeping::warning(double mass) const {
  double const gain = mass / first_mass_ - 1;
  if (std::abs(gain) <= most_gain) return std::nullopt;
  return fmt::format(
      "the fluid has {} {:.2g} % of its mass since the first step, and has no opening: walls make "
      "or take it (docs/method.md); velocities and pressures are off by about as much",
      gain < 0 ? "lost" : "gained", 100 * std::abs(gain));
}

void MassKeeping::save(Json& run) const {
  run["mass"] = {{"first", first_shift_}, {"has_begun", has_begun_}, {"supply", supply_},
                 {"step", step_},         {"gain", gain_},           {"given", given_}};
}

void MassKeeping::restore(SavedValues const& saved) {
  first_shift_ = saved.number("first");
  first_mass_ = nodes_ + first_shift_;
  has_begun_ = saved.flag("has_begun");
  supply_ = saved.number("supply");
  step_ = saved.whole("step");
  gain_ = saved.number("gain");
  given_ = saved.number("given");
}

}  // namespace tessera

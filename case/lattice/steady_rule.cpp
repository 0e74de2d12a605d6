// SPDX-License-Identifier: MIT
#include "case/lattice/steady_rule.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/json.hpp"
#include "run/next_multiple.hpp"

namespace tessera {
namespace {

/// Near the golden section of the interval; and even: lattices may carry an oscillation of odd and
/// even steps for ever.
std::int64_t second_look(std::int64_t every) {
  std::int64_t steps = 2 * std::llround(0.191 * static_cast<double>(every));
  while (std::gcd(steps, every) > 2 && steps > 0) steps -= 2;
  return steps;
}

/// Velocities of water at rest under its weight, over the differences of its density: 0.5 to 7 last
/// digits were measured.
double rounding_of(Precision precision) {
  constexpr double last_digits = 16;
  double const digit = precision == Precision::half_storage       ? 0x1p-12
                       : precision == Precision::single_precision ? 0x1p-24
                                                                  : 0x1p-53;
  return last_digits * digit;
}

}  // namespace

SteadyRule::SteadyRule(Case const& c, SpreadGeometry const& geometry)
    : every_(c.stop.steady->every),
      second_look_(second_look(every_)),
      tolerance_(c.stop.steady->tolerance),
      named_speed_(c.mach * std::sqrt(velocities_of(c.model.lattice).sound_speed_squared)),
      rounding_(rounding_of(c.model.precision)),
      earlier_(geometry) {}

std::int64_t SteadyRule::next_after(std::int64_t step) const {
  std::int64_t const next = next_multiple(every_, step);
  std::int64_t const second = next - every_ + second_look_;
  bool const seems_steady = change_ && *change_ < tolerance_;
  return seems_steady && second > step ? second : next;
}

double SteadyRule::relative(FlowChange const& change, double largest_speed) const {
  // A flow that never began does not change either.
  if (change.velocity == 0) return 0;
  double const rounding = rounding_ * rounding_ * change.density_shift;
  if (rounding > 0 && change.speed <= rounding)
    return std::sqrt(change.density / change.density_shift);
  double const fast = std::max(largest_speed, named_speed_);
  double const fast_everywhere = fast * fast * change.nodes;
  bool const at_rest = change.speed < tolerance_ * tolerance_ * fast_everywhere;
  return std::sqrt(change.velocity / (at_rest ? fast_everywhere : change.speed));
}

bool SteadyRule::is_steady(FlowState const& state, std::int64_t step, double largest_speed) {
  double const before = change_.value_or(0);
  change_ = relative(state.change_since(earlier_), largest_speed);
  bool const first = step % every_ == 0;
  if (first) earlier_ = state;
  bool const seems_steady = *change_ < tolerance_;
  if (seems_steady && !first) change_ = std::max(*change_, before);
  confirmed_ = seems_steady && (!first || second_look_ == 0);
  return confirmed_;
}

void SteadyRule::save(Json& run) const {
  run["steady_every"] = every_;
  run["steady"] = confirmed_;
}

void SteadyRule::restore(CheckpointReader const& checkpoint, SavedValues const& run) {
  change_ = run.number_if_known("change");
  if (change_ && *change_ < 0) run.refuse("'change' is below 0");
  if (!run.has("steady_every")) return;
  // States that are not as far apart as they should be look alike too soon.
  if (run.whole("steady_every", 1) != every_) {
    change_.reset();
    return;
  }
  if (!restore_spread_array(checkpoint, "earlier", earlier_.values()))
    run.refuse("'earlier' is of another size");
  confirmed_ = run.has("steady") && run.flag("steady") && change_ && *change_ < tolerance_;
}

}  // namespace tessera

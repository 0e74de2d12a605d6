// SPDX-License-Identifier: MIT
#include "elements/clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tasks/vector_data.hpp"

namespace tessera::spectral {
namespace {

struct ClockArguments {
  ClockRule const* rule;
  SpeedLimits const* limits;
  double time;
  bool has_before;
  std::size_t tiles;
};

/// Buffers: 0 W Clock; R Clock of the step before, if there is one; R double [packs] of each tile.
void set_clock_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<ClockArguments const*>(argument);
  double time = arguments.time;
  std::size_t first = 1;
  if (arguments.has_before) {
    Clock const& before = *vector_data<Clock const>(buffers, first++);
    time = before.time + before.dt;
  }
  double stable = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < arguments.tiles; ++t) {
    auto const* const speeds = vector_data<double const>(buffers, first + t);
    std::vector<double> const& limits = (*arguments.limits)[t];
    for (std::size_t p = 0; p < limits.size(); ++p) {
      double const longest = limits[p] / speeds[p];
      stable = stable <= longest ? stable : longest;  // keeps what is no number
    }
  }
  *vector_data<Clock>(buffers, 0) = {time, arguments.rule->step_at(time, stable)};
}

starpu_codelet& clock_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {set_clock_on_core},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "set_clock"};
  return codelet;
}

}  // namespace

double ClockRule::step_at(double time, double stable) const {
  double const step = fixed > 0 ? fixed : sigma * stable;
  if (meet.empty()) return step;
  // Times closer than rounding are met already.
  constexpr double rounding = 1e-12;
  auto const next = std::ranges::find_if(
      meet, [&](double at) { return at - time > rounding * std::max(1.0, std::abs(at)); });
  if (next == meet.end()) return 0;
  double const left = *next - time;
  if (step >= left * (1 - rounding)) return left;
  // Not a long step and then a tiny one.
  return step > 0.5 * left ? 0.5 * left : step;
}

void submit_clock(DataHandle const& clock, DataHandle const* before, double time,
                  std::span<DataHandle const* const> speeds, ClockRule const& rule,
                  SpeedLimits const& limits) {
  Accesses data;
  data.writes(clock);
  if (before != nullptr) data.reads(*before);
  for (DataHandle const* const of_tile : speeds) data.reads(*of_tile);
  submit(clock_codelet(), data,
         Argument::copy_of(ClockArguments{&rule, &limits, time, before != nullptr, speeds.size()}),
         {.kinds = STARPU_CPU});
}

}  // namespace tessera::spectral

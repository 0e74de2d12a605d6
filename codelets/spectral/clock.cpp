// SPDX-License-Identifier: MIT
#include "codelets/spectral/clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/tasks/vector_data.hpp"

namespace tessera::spectral {
namespace {

struct ClockArguments {
  ClockRule const* rule;  ///< none: for a longest step alone
  SpeedLimits const* limits;
  double time;
  bool has_before;
  std::size_t tiles;
  std::size_t others;
};

/// Buffers: from `first` on R double [packs] of each tile; R double of each of the others.
double longest_step(void** buffers, std::size_t first, ClockArguments const& arguments) {
  double stable = std::numeric_limits<double>::infinity();
  auto const include = [&](double longest) {
    // Keeps what is no number.
    stable = stable <= longest || std::isnan(stable) ? stable : longest;
  };
  for (std::size_t t = 0; t < arguments.tiles; ++t) {
    auto const* const speeds = vector_data<double const>(buffers, first + t);
    std::vector<double> const& limits = (*arguments.limits)[t];
    for (std::size_t p = 0; p < limits.size(); ++p) include(limits[p] / speeds[p]);
  }
  for (std::size_t i = 0; i < arguments.others; ++i)
    include(*vector_data<double const>(buffers, first + arguments.tiles + i));
  return stable;
}

/// Buffers: 0 W Clock; R Clock of the step before, if there is one; as longest_step() says.
void set_clock_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<ClockArguments const*>(argument);
  double time = arguments.time;
  std::size_t first = 1;
  if (arguments.has_before) {
    Clock const& before = *vector_data<Clock const>(buffers, first++);
    time = before.time + before.dt;
  }
  double const stable = longest_step(buffers, first, arguments);
  *vector_data<Clock>(buffers, 0) = {time, arguments.rule->step_at(time, stable)};
}

/// Buffers: 0 W double; as longest_step() says.
void find_longest_step_on_core(void** buffers, void* argument) noexcept {
  *vector_data<double>(buffers, 0) =
      longest_step(buffers, 1, *static_cast<ClockArguments const*>(argument));
}

starpu_codelet& clock_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {set_clock_on_core},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "set_clock"};
  return codelet;
}

starpu_codelet& longest_step_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {find_longest_step_on_core},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "longest_step"};
  return codelet;
}

void add_reads(Accesses& data, StepBounds const& bounds) {
  for (DataHandle const* const of_tile : bounds.speeds) data.reads(*of_tile);
  for (DataHandle const* const of_others : bounds.longest) data.reads(*of_others);
}

}  // namespace

double ClockRule::step_at(double time, double stable) const {
  return met(time, fixed > 0 ? fixed : sigma * stable);
}

double ClockRule::met(double time, double step) const {
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
                  StepBounds const& bounds, ClockRule const& rule) {
  Accesses data;
  data.writes(clock);
  if (before != nullptr) data.reads(*before);
  add_reads(data, bounds);
  submit(clock_codelet(), data,
         Argument::copy_of(ClockArguments{&rule, bounds.limits, time, before != nullptr,
                                          bounds.speeds.size(), bounds.longest.size()}),
         {.kinds = STARPU_CPU});
}

void submit_longest_step(DataHandle const& longest, StepBounds const& bounds) {
  Accesses data;
  data.writes(longest);
  add_reads(data, bounds);
  submit(longest_step_codelet(), data,
         Argument::copy_of(ClockArguments{nullptr, bounds.limits, 0, false, bounds.speeds.size(),
                                          bounds.longest.size()}),
         {.kinds = STARPU_CPU});
}

}  // namespace tessera::spectral

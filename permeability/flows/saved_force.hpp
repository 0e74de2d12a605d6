// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "io/checkpoint/saved_values.hpp"

namespace tessera {

/// What scripts have made of the force, times that of the options. Throws BadInput if nothing would
/// flow, or nothing with numbers.
inline double saved_force_factor(SavedValues const& run) {
  constexpr double most = 1e9;
  double const factor = run.number("body_force_factor");
  if (!(std::abs(factor) <= most && std::abs(factor) >= 1 / most))
    run.refuse(fmt::format("'body_force_factor': expected {:g} to {:g}", 1 / most, most));
  return factor;
}

}  // namespace tessera

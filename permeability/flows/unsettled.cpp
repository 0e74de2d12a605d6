// SPDX-License-Identifier: MIT
#include "permeability/flows/unsettled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/settings.hpp"

namespace tessera {

SeriesEnd end_of(std::span<PermeabilityPoint const> history) {
  SeriesEnd end;
  end.range = std::numeric_limits<double>::infinity();
  if (history.empty()) return end;
  PermeabilityPoint const& last = history.back();
  end.imbalance = std::abs(last.force_balance - 1);
  auto const first = std::ranges::find_if(
      history, [&](PermeabilityPoint const& p) { return 4 * p.step >= 3 * last.step; });
  std::span const quarter = history.subspan(static_cast<std::size_t>(first - history.begin()));
  if (quarter.size() < 3) return end;
  auto const [least, most] = std::ranges::minmax(quarter, {}, &PermeabilityPoint::k_lattice);
  end.range = (most.k_lattice - least.k_lattice) / std::abs(last.k_lattice);
  for (std::size_t i = 2; i < quarter.size(); ++i) {
    double const before = quarter[i - 1].k_lattice - quarter[i - 2].k_lattice;
    double const after = quarter[i].k_lattice - quarter[i - 1].k_lattice;
    if (before * after < 0) ++end.turns;
  }
  return end;
}

std::string why_unsettled(std::span<PermeabilityPoint const> history, double tolerance,
                          Precision precision) {
  SeriesEnd const end = end_of(history);
  if (!std::isfinite(end.range))
    return fmt::format("too few to tell why ({})", setting_name("max-steps"));
  std::string const what = fmt::format(
      "in the last quarter k has moved by {:.1e} of itself, drag and driving force differ by "
      "{:.1e}",
      end.range, end.imbalance);
  bool const rounding = precision != Precision::double_precision &&
                        end.range < tolerance / 12;  // Convergence asks no more
  if (rounding)
    return fmt::format("{}: that is rounding; {} goes on, a larger {} is content", what,
                       setting_text("precision", "double"), setting_name("tolerance"));
  if (end.turns > 1)
    return fmt::format("{}: it swings; waves that die out ({}), or there is no steady flow", what,
                       setting_name("max-steps"));
  return fmt::format("{}: it is still on its way ({})", what, setting_name("max-steps"));
}

}  // namespace tessera

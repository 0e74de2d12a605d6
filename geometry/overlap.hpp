// SPDX-License-Identifier: MIT
// Where a segment meets the surface of several solids that may overlap. For geometry/ alone.
#pragma once

#include <optional>

#include "geometry/surface.hpp"

namespace tessera {

/// The crossing into, or out of, the union of several solids. `visit_around(point, visit)` calls
/// `visit(surface, shift)` for each solid, moved by -shift, that may contain the point.
template <typename VisitAround>
std::optional<double> crossing_of_overlap(Vector3 from, Vector3 to, bool leaving,
                                          VisitAround const& visit_around) {
  std::optional<double> found;
  if (!leaving) {
    visit_around(to, [&](Surface const& solid, Vector3 shift) {
      if (!solid.inside(to + shift)) return;
      auto const entry = solid.crossing(from + shift, to + shift);
      if (entry && (!found || *entry < *found)) found = entry;
    });
    return found;
  }
  // Where one solid ends another may continue: from exit to exit, until no solid contains the
  // point.
  constexpr double progress = 1e-9;
  Vector3 at = from;
  double way = 0;
  for (double step = 1; step > progress;) {
    step = 0;
    visit_around(at, [&](Surface const& solid, Vector3 shift) {
      if (!solid.inside(at + shift)) return;
      auto const exit = solid.crossing(at + shift, to + shift);
      if (exit && *exit > step) step = *exit;
    });
    if (step == 0) break;
    way += step * (1 - way);
    found = way;
    at = from + way * (to - from);
  }
  return found;
}

}  // namespace tessera

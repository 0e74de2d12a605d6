// SPDX-License-Identifier: MIT
// The part of a straight line that lies in a ball, a slab or their intersections. For geometry/
// alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/vector3.hpp"

namespace tessera {

/// The points from + t * direction with in < t < out; none if in >= out.
struct Chord {
  double in = -std::numeric_limits<double>::infinity();
  double out = std::numeric_limits<double>::infinity();

  bool empty() const { return !(in < out); }
};

constexpr Chord no_chord{1, 0};

inline Chord common(Chord a, Chord b) { return {std::max(a.in, b.in), std::min(a.out, b.out)}; }

/// The chord where |from + t direction| < radius. With b = from . direction and c = |from|^2 -
/// radius^2 the ends are the roots of |direction|^2 t^2 + 2 b t + c = 0, taken so that nothing
/// cancels: the discriminant from the distance of the line to the centre (Haines et al., Ray
/// Tracing Gems (2019), chapter 7), the smaller root from the product of both.
inline Chord chord_of_ball(Vector3 from, Vector3 direction, double radius) {
  double const a = dot(direction, direction);
  if (a == 0) return dot(from, from) < radius * radius ? Chord{} : no_chord;
  double const b = dot(from, direction);
  double const distance = length(from - (b / a) * direction);
  if (!(distance < radius)) return no_chord;
  double const root = std::sqrt(a * (radius - distance) * (radius + distance));
  double const q = -b - std::copysign(root, b);
  double const far = length(from);
  double const c = (far - radius) * (far + radius);
  double const first = q / a;
  double const second = c / q;
  return {std::min(first, second), std::max(first, second)};
}

/// The chord where lower <= from + t direction < upper, in one coordinate.
inline Chord chord_of_slab(double from, double direction, double lower, double upper) {
  if (direction == 0) return from >= lower && from < upper ? Chord{} : no_chord;
  double const to_lower = (lower - from) / direction;
  double const to_upper = (upper - from) / direction;
  return {std::min(to_lower, to_upper), std::max(to_lower, to_upper)};
}

/// A fraction of a segment in (0, 1]. Points that rounding has put slightly outside of the segment
/// count as its ends; for other points outside there is none.
inline std::optional<double> fraction_of_segment(double t) {
  constexpr double hair = 1e-9;
  if (!(t >= -hair && t <= 1 + hair)) return std::nullopt;
  return std::clamp(t, 1e-12, 1.0);
}

}  // namespace tessera

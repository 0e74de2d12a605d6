// SPDX-License-Identifier: MIT
// Physical units as users write them: "2.25um", "1e-6 m2/s", "2 mPa s".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

/// Exponents of metre, second and kilogram.
struct Dimension {
  int length = 0;
  int time = 0;
  int mass = 0;

  constexpr bool operator==(Dimension const&) const = default;
};

namespace dimension {
inline constexpr Dimension none{};
inline constexpr Dimension length{1, 0, 0};
inline constexpr Dimension area{2, 0, 0};
inline constexpr Dimension time{0, 1, 0};
inline constexpr Dimension speed{1, -1, 0};
inline constexpr Dimension acceleration{1, -2, 0};
inline constexpr Dimension kinematic_viscosity{2, -1, 0};
inline constexpr Dimension density{-3, 0, 1};
inline constexpr Dimension pressure{-1, -2, 1};
}  // namespace dimension

/// "a speed", "a kinematic viscosity"; its unit, "m-2 kg", if it has no name.
std::string name_of(Dimension dimension);
/// "m/s", "Pa"; empty for a plain number.
std::string unit_of(Dimension dimension);

/// A value in SI units.
struct Quantity {
  double value = 0;
  Dimension dimension;
};

/// A unit in SI: "m2/s", "kg/m^3", "mPa s", "1/s". A '/' divides by the next factor only. Known: m
/// s g N Pa bar Hz min h with the prefixes n u m c d h k M G.
std::optional<Quantity> unit_in(std::string_view text);

/// A number and its unit, with or without blanks between them.
std::optional<Quantity> quantity_in(std::string_view text);

/// "2.25um", "5.345e-6 m", "200nm": metres, if it is a positive length.
std::optional<double> length_in(std::string_view text);

}  // namespace tessera

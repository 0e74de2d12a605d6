// SPDX-License-Identifier: MIT
// The boundary conditions of case files: types, and the schemes that implement them. A row of the
// table has all that the reader needs for a type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/name_list.hpp"

namespace tessera {

enum class BoundaryType : std::uint8_t {
  wall,               ///< half-way bounce-back
  moving_wall,        ///< half-way bounce-back at a velocity
  interpolated_wall,  ///< Bouzidi, on solids
  on_node_wall,       ///< on faces: the first voxels are the wall's
  velocity,
  pressure,
  outflow,
  slip
};

enum class BoundaryScheme : std::uint8_t {
  none,
  regularised,
  zou_he,
  bounce_back,       ///< velocity; on-node walls, through the centres of the first voxels
  full_way,          ///< on-node walls: the first voxels return what enters them
  anti_bounce_back,  ///< pressure
  convective,        ///< outflow
  extrapolate        ///< outflow
};

/// `none` has no name, as no file names it.
inline constexpr NameList<BoundaryScheme, 7> scheme_names{
    {{"regularised", BoundaryScheme::regularised},
     {"zou-he", BoundaryScheme::zou_he},
     {"bounce-back", BoundaryScheme::bounce_back},
     {"full-way", BoundaryScheme::full_way},
     {"anti-bounce-back", BoundaryScheme::anti_bounce_back},
     {"convective", BoundaryScheme::convective},
     {"extrapolate", BoundaryScheme::extrapolate}}};

/// The values of a type; a velocity and a density have a factor of time.
enum class BoundaryValue : std::uint8_t { none, velocity_if_given, velocity, density };

/// Schemes of a type, the usual one first. {none}: there is one way only; empty: the type does not
/// exist on such places.
struct Schemes {
  std::array<BoundaryScheme, 3> list{};
  std::size_t count = 0;

  template <class... Scheme>
  constexpr Schemes(Scheme... schemes) : list{schemes...}, count(sizeof...(schemes)) {}
  constexpr BoundaryScheme const* begin() const { return list.data(); }
  constexpr BoundaryScheme const* end() const { return list.data() + count; }
  constexpr bool empty() const { return count == 0; }
};

struct BoundaryTypeTraits {
  BoundaryType type;
  std::string_view name;
  BoundaryValue value;
  bool wall = false;  ///< the fluid flows along it rather than through it
  bool open = false;  ///< the flow rate through it follows from the flow
  Schemes on_faces{};
  Schemes on_solids{};
  Schemes on_image_labels{};

  /// Whether there is a choice of schemes on faces or solids.
  constexpr bool has_schemes() const {
    return !on_faces.empty() && on_faces.list[0] != BoundaryScheme::none;
  }
};

inline constexpr std::array<BoundaryTypeTraits, 8> boundary_types = [] {
  using enum BoundaryType;
  using enum BoundaryScheme;
  using Value = BoundaryValue;
  return std::array<BoundaryTypeTraits, 8>{{
      {.type = wall,
       .name = "wall",
       .value = Value::none,
       .wall = true,
       .on_faces = {none},
       .on_solids = {none},
       .on_image_labels = {none}},
      {.type = moving_wall,
       .name = "moving-wall",
       .value = Value::velocity,
       .wall = true,
       .on_faces = {none},
       .on_solids = {none},
       .on_image_labels = {none}},
      {.type = interpolated_wall,
       .name = "interpolated-wall",
       .value = Value::velocity_if_given,
       .wall = true,
       .on_solids = {none}},
      {.type = on_node_wall,
       .name = "on-node-wall",
       .value = Value::velocity_if_given,
       .wall = true,
       .on_faces = {bounce_back, full_way}},
      {.type = BoundaryType::velocity,
       .name = "velocity",
       .value = Value::velocity,
       .on_faces = {regularised, zou_he, bounce_back},
       .on_solids = {bounce_back},
       .on_image_labels = {bounce_back}},
      {.type = pressure,
       .name = "pressure",
       .value = Value::density,
       .open = true,
       .on_faces = {regularised, zou_he, anti_bounce_back},
       .on_solids = {anti_bounce_back},
       .on_image_labels = {anti_bounce_back}},
      {.type = outflow,
       .name = "outflow",
       .value = Value::none,
       .open = true,
       .on_faces = {convective, extrapolate}},
      {.type = slip, .name = "slip", .value = Value::none, .on_faces = {none}},
  }};
}();

constexpr BoundaryTypeTraits const& traits_of(BoundaryType type) {
  for (BoundaryTypeTraits const& row : boundary_types) {
    if (row.type == type) return row;
  }
  return boundary_types.front();
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "case/lattice/case_conditions.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

namespace tessera {
namespace {

/// What the solver calls it.
BoundaryKind boundary_kind(Case::Boundary const& b) {
  using Type = Case::BoundaryType;
  using Scheme = Case::Scheme;
  switch (b.type) {
    case Type::wall:
      return BoundaryKind::wall;
    case Type::moving_wall:
      return BoundaryKind::moving_wall;
    case Type::interpolated_wall:
      return BoundaryKind::interpolated_wall;
    case Type::slip:
      return BoundaryKind::slip;
    case Type::velocity:
      // Half-way bounce-back off a wall that moves through itself.
      if (b.scheme == Scheme::bounce_back) return BoundaryKind::moving_wall;
      return b.scheme == Scheme::zou_he ? BoundaryKind::zou_he_velocity
                                        : BoundaryKind::regularised_velocity;
    case Type::pressure:
      if (b.scheme == Scheme::anti_bounce_back) return BoundaryKind::anti_bounce_back;
      return b.scheme == Scheme::zou_he ? BoundaryKind::zou_he_density
                                        : BoundaryKind::regularised_density;
    case Type::outflow:
      return b.scheme == Scheme::extrapolate ? BoundaryKind::outflow
                                             : BoundaryKind::convective_outflow;
    case Type::on_node_wall:
      break;
  }
  return b.scheme == Scheme::full_way ? BoundaryKind::full_way_wall : BoundaryKind::on_node_wall;
}

/// A factor that does not change in time belongs to the values.
double fixed_factor(Case::Boundary const& b) { return b.factor.varies() ? 1 : b.factor.at(0); }

std::array<double, 3> centre(Int3 node) {
  return {static_cast<double>(node.x) + 0.5, static_cast<double>(node.y) + 0.5,
          static_cast<double>(node.z) + 0.5};
}

}  // namespace

BadInput bad_line(Case const& c, int line, std::string const& what) {
  std::string const place = fmt::format("{}:{}: ", c.file.string(), line);
  return BadInput{place + what};
}

BoundaryCondition condition_of(Case::Boundary const& b) {
  BoundaryCondition condition{.kind = boundary_kind(b)};
  double const factor = fixed_factor(b);
  BoundaryValue const value = traits_of(b.type).value;
  if (value == BoundaryValue::density) {
    condition.density = [density = b.density, factor](Int3 node) {
      auto const [x, y, z] = centre(node);
      return 1 + factor * (density.at(x, y, z) - 1);
    };
  } else if (value != BoundaryValue::none) {
    condition.velocity = [velocity = b.velocity, factor](Int3 node) {
      auto const [x, y, z] = centre(node);
      return Velocity{factor * velocity[0].at(x, y, z), factor * velocity[1].at(x, y, z),
                      factor * velocity[2].at(x, y, z)};
    };
  }
  return condition;
}

}  // namespace tessera

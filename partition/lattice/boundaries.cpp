// SPDX-License-Identifier: MIT
#include "partition/lattice/boundaries.hpp"

#include <algorithm>

namespace tessera {
namespace {

double carried_by(BoundaryCondition const& wall, Velocities const& velocities, Int3 node, int q) {
  if (!wall.velocity) return 0;
  auto const i = static_cast<std::size_t>(q);
  Velocity const u = wall.velocity(node);
  double along = 0;
  for (std::size_t a = 0; a < 3; ++a) along += velocities.c[i][a] * u[a];
  return 2 * velocities.weight[i] * along / velocities.sound_speed_squared;
}

}  // namespace

/// Bouzidi et al., eqs. 5.
WallLink wall_link(BoundaryCondition const& wall, Velocities const& velocities, Int3 node, int q,
                   bool in_gap) {
  WallLink link{.carried = carried_by(wall, velocities, node, q)};
  if (wall.kind != BoundaryKind::interpolated_wall || !wall.link_fraction) return link;
  auto const& c = velocities.c[static_cast<std::size_t>(q)];
  double const fraction = wall.link_fraction(node, {-c[0], -c[1], -c[2]});
  if (fraction < 0.5) {
    if (in_gap) return link;
    link.leaving = 2 * fraction;
    link.behind = 1 - 2 * fraction;
  } else {
    link.leaving = 1 / (2 * fraction);
    link.entering = 1 - 1 / (2 * fraction);
    link.carried /= 2 * fraction;
  }
  link.fraction = fraction;
  return link;
}

bool Boundaries::plain() const {
  if (density_drop != std::array<double, 3>{}) return false;
  return std::ranges::all_of(conditions, [](BoundaryCondition const& condition) {
    return condition.kind == BoundaryKind::wall && !condition.measure_force;
  });
}

std::array<bool, 6> Boundaries::faces_that_mirror() const {
  std::array<bool, 6> faces{};
  for (std::size_t f = 0; f < faces.size(); ++f)
    faces[f] = traits_of(conditions[of_face[f]].kind).reads_upstream;
  return faces;
}

std::uint8_t Boundaries::condition_at(Int3 node, Int3 c) const {
  Int3 to = node + c;
  bool outside = false;
  std::uint8_t found = 0;
  for (Axis a : all_axes) {
    std::int64_t const n = shape[a];
    if (to[a] >= 0 && to[a] < n) continue;
    if (periodic[index_of(a)]) {
      to[a] = (to[a] + n) % n;
      continue;
    }
    std::uint8_t const face = of_face[2 * index_of(a) + (to[a] < 0 ? 0 : 1)];
    bool const wall = conditions[face].kind == BoundaryKind::wall;
    if (!outside || wall) found = face;
    outside = true;
    if (wall) break;
  }
  if (outside) return found;
  return of_voxel.empty() ? 0 : of_voxel.at(to);
}

double Boundaries::drop_beyond(Int3 node, Int3 d) const {
  double drop = 0;
  for (Axis a : all_axes) {
    std::int64_t const at = node[a] + d[a];
    if (at < 0) drop += density_drop[index_of(a)];
    if (at >= shape[a]) drop -= density_drop[index_of(a)];
  }
  return drop;
}

}  // namespace tessera

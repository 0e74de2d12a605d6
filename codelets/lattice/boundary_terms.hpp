// SPDX-License-Identifier: MIT
// What boundary conditions compute, for cores and for GPUs: incoming populations from outgoing ones
// (after the collision), and the force on walls by momentum exchange. All is computed in double
// precision, whatever the storage.
#pragma once

#include "base/storage.hpp"
#include "codelets/lattice/boundary_plan.hpp"
#include "codelets/lattice/mass_and_momentum.hpp"
#include "models/lattice/equilibrium_populations.hpp"

namespace tessera {

/// The velocity of the node that a link belongs to, after the collision.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE DensityAndVelocity own_velocity(BoundaryLink const& link, Storage const* f,
                                                    BoundaryParameters const& p) {
  MassAndMomentum const carried = mass_and_momentum<Lattice>(f + link.node, link.stride);
  DensityAndVelocity m;
  for (int a = 0; a < 3; ++a)
    m.velocity[a] = carried.momentum[a] / (1 + carried.density_shift) - 0.5 * p.force[a];
  return m;
}

/// What enters along a link whose condition needs the velocity of the node, beyond the linear
/// terms.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE double beyond_linear(BoundaryLink const& link, Storage const* f,
                                         BoundaryParameters const& p) {
  double moving[Lattice::size];
  equilibrium_populations<Lattice>(p.equilibrium, own_velocity<Lattice>(link, f, p), moving);
  // The density that is added moves with the fluid.
  if (link.kind == BoundaryKind::density_drop)
    return link.offset * moving[link.q] / Lattice::weight(link.q);
  // Anti-bounce-back: the even part of the equilibrium beyond the density.
  return moving[link.q] + moving[Lattice::opposite(link.q)];
}

/// df/dt + u df/dn = 0 behind the outlet, implicit in time, at the node's own speed outwards.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE double carried_out(BoundaryLink const& link, double upstream, double before,
                                       Storage const* f, BoundaryParameters const& p) {
  DensityAndVelocity const m = own_velocity<Lattice>(link, f, p);
  double speed = 0;
  for (int a = 0; a < 3; ++a) speed += link.out[a] * m.velocity[a];
  if (!(speed > 0)) return before;
  return (before + speed * upstream) / (1 + speed);
}

/// What enters along a link, from populations after the collision. `memory`: the value that the
/// link remembers, not a number before the first step; nullptr if no link of the tile remembers
/// one.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE double entering(BoundaryLink const& link, Storage const* f,
                                    BoundaryParameters const& p, double* memory) {
  auto const at = [&](std::uint32_t place) { return static_cast<double>(from_storage(f[place])); };
  double value = link.weight_a * at(link.a) + link.offset;
  if (link.weight_b != 0) value += link.weight_b * at(link.b);
  if (traits_of(link.kind).remembers) {
    bool const first = *memory != *memory;  // NOLINT(misc-redundant-expression): not a number
    if (link.kind == BoundaryKind::full_way_wall) {
      double const leaves = value;
      value = first ? 0 : *memory;  // a fluid at rest
      *memory = leaves;
    } else {
      if (!first) value = carried_out<Lattice>(link, value, *memory, f, p);
      *memory = value;
    }
  }
  value += p.factor[link.condition] * link.constant;
  if (p.supply != 0 && traits_of(link.kind).may_move) value += p.supply * Lattice::weight(link.q);
  bool const of_velocity =
      link.kind == BoundaryKind::anti_bounce_back || link.kind == BoundaryKind::density_drop;
  if (!of_velocity || p.equilibrium == EquilibriumForm::linear) return value;
  return value + beyond_linear<Lattice>(link, f, p);
}

/// Density and velocity of a node beside an inlet or an outlet: the one that the condition does not
/// give follows from the known populations (Zou, He 1997).
template <class Lattice>
TESSERA_HOST_DEVICE DensityAndVelocity density_and_velocity_at(BoundaryNode const& node,
                                                               double const (&f)[Lattice::size],
                                                               BoundaryParameters const& p) {
  double tangential = 0;
  double outward = 0;
  for (int q = 0; q < Lattice::size; ++q) {
    int const c = component<Lattice>(q, node.axis) * node.inward;
    if (c == 0) tangential += f[q];
    if (c < 0) outward += f[q];
  }
  // Mass less the momentum along the normal: of all populations, 1 more without the shift.
  double const known = tangential + 2 * outward;
  double const factor = p.factor[node.condition];
  DensityAndVelocity m;
  if (traits_of(node.kind).says_velocity) {
    for (int a = 0; a < 3; ++a) m.velocity[a] = factor * node.velocity[a];
    // The populations carry the velocity less half the force.
    double const normal = node.inward * (m.velocity[node.axis] - 0.5 * p.force[node.axis]);
    m.density_shift =
        p.equilibrium == EquilibriumForm::linear ? known + normal : (known + normal) / (1 - normal);
  } else {
    m.density_shift = factor * node.density_shift;
    double const normal = p.equilibrium == EquilibriumForm::linear
                              ? m.density_shift - known
                              : (m.density_shift - known) / (1 + m.density_shift);
    m.velocity[node.axis] = node.inward * normal + 0.5 * p.force[node.axis];
  }
  return m;
}

/// Replaces the populations from outside by their equilibrium and the bounced-back deviation from
/// it, and leaves no momentum along the face but the given one (Hecht, Harting 2010).
template <class Lattice>
TESSERA_HOST_DEVICE void complete_unknown(BoundaryNode const& node, DensityAndVelocity const& m,
                                          double (&f)[Lattice::size], BoundaryParameters const& p) {
  constexpr double cs2 = Lattice::sound_speed_squared;
  double const density = p.equilibrium == EquilibriumForm::linear ? 1 : 1 + m.density_shift;
  double momentum[3];
  for (int a = 0; a < 3; ++a) momentum[a] = density * (m.velocity[a] - 0.5 * p.force[a]);
  for (int q = 1; q < Lattice::size; ++q) {
    if ((node.unknown >> q & 1U) == 0) continue;
    double const along =
        Lattice::x(q) * momentum[0] + Lattice::y(q) * momentum[1] + Lattice::z(q) * momentum[2];
    f[q] = f[Lattice::opposite(q)] + 2 * Lattice::weight(q) * along / cs2;
  }
  for (int a = 0; a < 3; ++a) {
    if (a == node.axis) continue;
    double missing = momentum[a];
    int carriers = 0;
    for (int q = 1; q < Lattice::size; ++q) {
      int const c = component<Lattice>(q, a);
      missing -= c * f[q];
      if ((node.unknown >> q & 1U) != 0) carriers += c * c;
    }
    if (carriers == 0) continue;
    for (int q = 1; q < Lattice::size; ++q) {
      if ((node.unknown >> q & 1U) != 0) f[q] += component<Lattice>(q, a) * missing / carriers;
    }
  }
}

/// Reduces the deviation from equilibrium to its momentum flux (Latt et al. 2008).
template <class Lattice>
TESSERA_HOST_DEVICE void regularise(DensityAndVelocity const& m, double (&f)[Lattice::size],
                                    BoundaryParameters const& p) {
  DensityAndVelocity carried = m;
  for (int a = 0; a < 3; ++a) carried.velocity[a] -= 0.5 * p.force[a];
  double equilibrium[Lattice::size];
  equilibrium_populations<Lattice>(p.equilibrium, carried, equilibrium);
  for (int q = 0; q < Lattice::size; ++q) f[q] -= equilibrium[q];
  auto const flux = momentum_flux<Lattice, double>(split<Lattice, double>(f));
  for (int q = 0; q < Lattice::size; ++q) f[q] = equilibrium[q];
  add<Lattice>(f, populations_of_flux<Lattice, double>(flux));
}

/// Replaces the populations that a node beside an inlet or an outlet would pull.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE void replace_at(BoundaryNode const& node, Storage* populations,
                                    BoundaryParameters const& p) {
  double f[Lattice::size];
  for (int q = 0; q < Lattice::size; ++q)
    f[q] = static_cast<double>(from_storage(populations[node.sources[q]]));
  DensityAndVelocity const m = density_and_velocity_at<Lattice>(node, f, p);
  complete_unknown<Lattice>(node, m, f, p);
  bool const all = node.kind == BoundaryKind::regularised_velocity ||
                   node.kind == BoundaryKind::regularised_density;
  if (all) regularise<Lattice>(m, f, p);
  for (int q = 0; q < Lattice::size; ++q) {
    if (all || (node.unknown >> q & 1U) != 0)
      populations[node.sources[q]] = to_storage<Storage>(static_cast<Arithmetic<Storage>>(f[q]));
  }
}

/// Momentum exchange along a link: what leaves and what enters, both along the link; where that is
/// grey, what was on its way and does not arrive, of which the link from the other end has as much.
template <class Lattice>
TESSERA_HOST_DEVICE void add_force(WallForce& sum, BoundaryLink const& link, double leaves,
                                   double enters) {
  double const handed_over = link.kind == BoundaryKind::grey ? enters - leaves : leaves + enters;
  double const f[3] = {-Lattice::x(link.q) * handed_over, -Lattice::y(link.q) * handed_over,
                       -Lattice::z(link.q) * handed_over};
  for (int a = 0; a < 3; ++a) {
    int const b = (a + 1) % 3, c = (a + 2) % 3;
    sum.force[a] += f[a];
    sum.torque[a] +=
        static_cast<double>(link.point[b]) * f[c] - static_cast<double>(link.point[c]) * f[b];
  }
}

/// The force on the wall of a group, before any population is replaced.
template <class Lattice, class Storage>
TESSERA_HOST_DEVICE WallForce force_of_group(BoundaryView const& view, LinkGroup const& group,
                                             Storage const* f, double const* entering_values) {
  WallForce sum;
  for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
    BoundaryLink const& link = view.links[i];
    add_force<Lattice>(sum, link, static_cast<double>(from_storage(f[link.target])),
                       entering_values[i]);
  }
  return sum;
}

}  // namespace tessera

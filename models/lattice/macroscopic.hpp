// SPDX-License-Identifier: MIT
// Density and velocity of a node, before its collision.
#pragma once

#include "models/lattice/equilibrium_form.hpp"
#include "models/lattice/halves.hpp"

namespace tessera {

/// Whether a set can hold an equilibrium.
template <VelocitySet Lattice, EquilibriumForm form>
inline constexpr bool holds = form != EquilibriumForm::product || TensorProductSet<Lattice>;

/// Macroscopic state of a node, in lattice units.
template <VelocitySet Lattice, class Real>
struct Macroscopic {
  Real density_shift;                  ///< sum of the shifted populations
  Real momentum[Lattice::dimensions];  ///< j, sum of c_q f_q
  Real density;                        ///< 1 + density_shift; linear: 1
  Real specific;                       ///< 1 / density
  Real velocity[Lattice::dimensions];  ///< j / density + g / 2 (Guo, Zheng, Shi 2002)
};

template <VelocitySet Lattice>
struct MassCoefficients {
  TESSERA_HOST_DEVICE static constexpr int at(int /*p*/) { return 1; }
};
template <VelocitySet Lattice, int axis>
struct MomentumCoefficients {
  TESSERA_HOST_DEVICE static constexpr int at(int p) {
    return component<Lattice>(first_of_pair(p), axis);
  }
};

/// The macroscopic state from the halves of shifted populations and the body force per mass g.
template <EquilibriumForm form, VelocitySet Lattice, class Real, class Scalar>
TESSERA_HOST_DEVICE constexpr Macroscopic<Lattice, Real> macroscopic(Halves<Lattice, Real> const& f,
                                                                     Scalar const (&force)[3]) {
  constexpr auto half = Scalar{0.5};
  constexpr auto two = Scalar{2};
  Macroscopic<Lattice, Real> m{};
  m.density_shift = f.rest + two * combination<MassCoefficients<Lattice>, Scalar>(f.even);
  m.momentum[0] = two * combination<MomentumCoefficients<Lattice, 0>, Scalar>(f.odd);
  m.momentum[1] = two * combination<MomentumCoefficients<Lattice, 1>, Scalar>(f.odd);
  if constexpr (Lattice::dimensions == 3)
    m.momentum[2] = two * combination<MomentumCoefficients<Lattice, 2>, Scalar>(f.odd);
  if constexpr (form == EquilibriumForm::linear) {
    m.density = m.specific = Scalar{1} + Real{};
    for (int a = 0; a < Lattice::dimensions; ++a) m.velocity[a] = m.momentum[a] + half * force[a];
  } else {
    m.density = Scalar{1} + m.density_shift;
    m.specific = Scalar{1} / m.density;
    for (int a = 0; a < Lattice::dimensions; ++a)
      m.velocity[a] = m.momentum[a] * m.specific + half * force[a];
  }
  return m;
}

}  // namespace tessera

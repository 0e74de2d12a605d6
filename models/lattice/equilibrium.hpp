// SPDX-License-Identifier: MIT
// Equilibrium and body force, shifted by w_q, in halves.
//
// The force is Guo's (Guo, Zheng, Shi, Phys. Rev. E 65 (2002) 046308): F is the derivative of the
// equilibrium along g. This is Guo's formula for the equilibrium of second order, and its natural
// extension for the others. Half of the force is in the velocity, and half of it in what collides:
// operators get f + F / 2, so none of them needs a force of its own.
#pragma once

#include "models/lattice/along.hpp"
#include "models/lattice/macroscopic.hpp"
#include "models/lattice/product_equilibrium.hpp"
#include "models/lattice/stress.hpp"

namespace tessera {

/// Populations whose even half is w_q s and whose odd half is w_q / c_s^2 c_q . v.
template <VelocitySet Lattice, class Scalar, class Real, class Vector, int n, int... p>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> linear_populations(
    Real const& s, Vector const (&v)[n], std::integer_sequence<int, p...> /*pairs*/) {
  constexpr double cs2 = Lattice::sound_speed_squared;
  return {static_cast<Scalar>(Lattice::weight(0)) * s,
          {static_cast<Scalar>(Lattice::weight(first_of_pair(p))) * s...},
          {static_cast<Scalar>(Lattice::weight(first_of_pair(p)) / cs2) *
               along<Lattice, first_of_pair(p)>(v) +
           Real{}...}};
}
template <VelocitySet Lattice, class Scalar, class Real, class Vector, int n>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> linear_populations(Real const& s,
                                                                       Vector const (&v)[n]) {
  return linear_populations<Lattice, Scalar>(s, v, Count<Halves<Lattice, Real>::pairs>{});
}

/// The populations f_eq - F / 2 - w.
template <EquilibriumForm form, VelocitySet Lattice, class Real, class Scalar>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> equilibrium_less_half_force(
    Macroscopic<Lattice, Real> const& m, Scalar const (&force)[3]) {
  if constexpr (form == EquilibriumForm::product) {
    return product_populations<ProductPart::equilibrium_less_half_force>(m, force);
  } else {
    // The density times velocity u of the equilibrium less half the force is j.
    auto f = linear_populations<Lattice, Scalar>(m.density_shift, m.momentum);
    if constexpr (form == EquilibriumForm::second_order) {
      // The flux rho (u u - (u g + g u) / 2).
      Real slower[Lattice::dimensions];
      Real flux_velocity[Lattice::dimensions];
      for (int a = 0; a < Lattice::dimensions; ++a) {
        slower[a] = m.velocity[a] - force[a];
        flux_velocity[a] = m.density * m.velocity[a];
      }
      add(f, populations_of_flux<Lattice, Scalar>(
                 symmetric_product<Lattice::dimensions, Scalar>(flux_velocity, slower)));
    }
    return f;
  }
}

/// The force as populations, F.
template <EquilibriumForm form, VelocitySet Lattice, class Real, class Scalar>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> force_populations(
    Macroscopic<Lattice, Real> const& m, Scalar const (&force)[3]) {
  if constexpr (form == EquilibriumForm::product) {
    return product_populations<ProductPart::force>(m, force);
  } else if constexpr (form == EquilibriumForm::linear) {
    return linear_populations<Lattice, Scalar>(Real{}, force);
  } else {
    Real force_density[Lattice::dimensions];
    Real twice[Lattice::dimensions];
    for (int a = 0; a < Lattice::dimensions; ++a) {
      force_density[a] = m.density * force[a];
      twice[a] = Scalar{2} * m.velocity[a];
    }
    auto f = linear_populations<Lattice, Scalar>(Real{}, force_density);
    add(f, populations_of_flux<Lattice, Scalar>(
               symmetric_product<Lattice::dimensions, Scalar>(force_density, twice)));
    return f;
  }
}

}  // namespace tessera

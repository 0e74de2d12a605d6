// SPDX-License-Identifier: MIT
// The node update: two relaxation times (BGK where they agree), body force after Guo, populations
// stored shifted. D3Q19 written out: 186 MFLUPS on 2 cores where models/lattice/collide.hpp makes
// 175.
//
// TRT: Ginzburg, Verhaeghe, d'Humieres, Commun. Comput. Phys. 3 (2008) 427. Each pair of opposite
// populations is split in its even and odd half; the even half relaxes with omega_plus = 1/tau,
// which sets the viscosity, the odd half with omega_minus, which sets where the bounce-back wall
// stands: Lambda = (1/omega_plus - 1/2)(1/omega_minus - 1/2). Force: Guo, Zheng, Shi, Phys. Rev. E
// 65 (2002) 046308, whose even and odd half relax with the same rates. Shift: f_q - w_q is stored,
// so that single precision keeps its digits (Skordos, Phys. Rev. E 48 (1993) 4823).
#pragma once

#include "base/host_device.hpp"
#include "models/lattice/along.hpp"
#include "models/lattice/flow_model.hpp"

namespace tessera {

/// Parameters of the node update, in lattice units.
template <class Scalar>
struct CollisionParameters {
  Scalar omega_plus;   ///< 1 / tau
  Scalar omega_minus;  ///< relaxation rate of the odd half
  Scalar force[3];     ///< body force per mass
};

/// The two rates among the parameters of all operators.
template <class Scalar>
TESSERA_HOST_DEVICE constexpr CollisionParameters<Scalar> two_rates(FlowParameters const& p) {
  return {static_cast<Scalar>(p.shear),
          static_cast<Scalar>(p.odd),
          {static_cast<Scalar>(p.force[0]), static_cast<Scalar>(p.force[1]),
           static_cast<Scalar>(p.force[2])}};
}

/// Relaxes the pair of populations (q, q + 1), q odd. Returns the change of each by the even half.
template <EquilibriumForm equilibrium, int q, class Real, class Scalar>
TESSERA_HOST_DEVICE Real relax_pair(Real (&f)[19], Real const& density_shift, Real const& density,
                                    Real const (&u)[3], Real const& u_squared,
                                    CollisionParameters<Scalar> const& p) {
  constexpr auto w = static_cast<Scalar>(D3Q19::weight(q));
  constexpr auto half = Scalar{0.5};
  Real const even = half * (f[q] + f[q + 1]);
  Real const odd = half * (f[q] - f[q + 1]);
  Real const cu = along<D3Q19, q>(u);
  Scalar const cg = along<D3Q19, q>(p.force);
  Real even_change;
  Real odd_change;
  if constexpr (equilibrium == EquilibriumForm::linear) {
    even_change = p.omega_plus * (w * density_shift - even);
    odd_change = p.omega_minus * ((Scalar{3} * w) * cu - odd) +
                 (Scalar{3} * w * (Scalar{1} - half * p.omega_minus)) * cg;
  } else {
    Real const ug = u[0] * p.force[0] + u[1] * p.force[1] + u[2] * p.force[2];
    Real const even_eq =
        w * (density_shift + density * (Scalar{4.5} * cu * cu - Scalar{1.5} * u_squared));
    Real const odd_eq = (Scalar{3} * w) * density * cu;
    Real const even_force = w * density * (Scalar{9} * cu * cg - Scalar{3} * ug);
    Real const odd_force = (Scalar{3} * w * cg) * density;
    even_change = p.omega_plus * (even_eq - even) + (Scalar{1} - half * p.omega_plus) * even_force;
    odd_change = p.omega_minus * (odd_eq - odd) + (Scalar{1} - half * p.omega_minus) * odd_force;
  }
  f[q] += even_change + odd_change;
  f[q + 1] += even_change - odd_change;
  return even_change;
}

/// Collides the 19 shifted populations of one node (Real a number) or of one node a lane (Real a
/// SIMD vector), in place.
template <EquilibriumForm equilibrium, class Real, class Scalar>
TESSERA_HOST_DEVICE void collide(Real (&f)[19], CollisionParameters<Scalar> const& p) {
  constexpr auto half = Scalar{0.5};
  Real const edges_xy[4] = {f[7] - f[8], f[9] - f[10], f[11] - f[12], f[13] - f[14]};
  Real const edges_yz[2] = {f[15] - f[16], f[17] - f[18]};
  Real const density_shift =
      ((f[0] + (f[1] + f[2])) + ((f[3] + f[4]) + (f[5] + f[6]))) +
      (((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14]))) +
      ((f[15] + f[16]) + (f[17] + f[18]));
  Real const momentum[3] = {
      (f[1] - f[2]) + (edges_xy[0] + edges_xy[1]) + (edges_xy[2] + edges_xy[3]),
      (f[3] - f[4]) + (edges_xy[0] - edges_xy[1]) + (edges_yz[0] + edges_yz[1]),
      (f[5] - f[6]) + (edges_xy[2] - edges_xy[3]) + (edges_yz[0] - edges_yz[1])};
  Real u[3];
  Real density = density_shift;
  Real u_squared = density_shift;
  if constexpr (equilibrium == EquilibriumForm::linear) {
    // Linear about density 1: u = j + g/2.
    for (int a = 0; a < 3; ++a) u[a] = momentum[a] + half * p.force[a];
  } else {
    density = Scalar{1} + density_shift;
    Real const specific = Scalar{1} / density;
    for (int a = 0; a < 3; ++a) u[a] = momentum[a] * specific + half * p.force[a];
    u_squared = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  }
  // The population at rest loses what the pairs gain, so rounding adds no mass. If it relaxed on
  // its own, to a rounded weight, it would add omega 1.5e-8 (rho - 1) in single precision, in all
  // nodes of a still chamber alike, and behind a narrow throat that is more than the flow.
  Real gained = relax_pair<equilibrium, 1>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 3>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 5>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 7>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 9>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 11>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 13>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 15>(f, density_shift, density, u, u_squared, p);
  gained += relax_pair<equilibrium, 17>(f, density_shift, density, u, u_squared, p);
  f[0] -= Scalar{2} * gained;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The equilibrium that is a product of one factor an axis, and its derivative along the force.
//
// rho phi(c_x, u_x) phi(c_y, u_y) phi(c_z, u_z) with phi(0, u) = 2/3 - u^2 and phi(+-1, u) = (1/3 +
// u^2 +- u) / 2: its central moments are those of Maxwell's distribution in every order that the
// set can hold.
#pragma once

#include <cstdint>

#include "models/lattice/macroscopic.hpp"

namespace tessera {

enum class ProductPart : std::uint8_t { equilibrium_less_half_force, force };

/// The factors of one axis, places 0, 1, 2 for c = -1, 0, 1.
template <class Real>
struct AxisFactors {
  Real shifted[3];  ///< phi less its value at rest
  Real whole[3];    ///< phi
  Real slope[3];    ///< g dphi/du
};

/// The factor at rest, phi(c, 0).
TESSERA_HOST_DEVICE constexpr double factor_at_rest(int place) {
  return place == 1 ? 2.0 / 3.0 : 1.0 / 6.0;
}

template <class Real, class Scalar>
TESSERA_HOST_DEVICE constexpr AxisFactors<Real> axis_factors(Real const& u, Scalar g) {
  constexpr auto half = Scalar{0.5};
  Real const square = u * u;
  AxisFactors<Real> phi{{half * (square - u), -square, half * (square + u)},
                        {},
                        {g * (u - half), (Scalar{-2} * g) * u, g * (u + half)}};
  for (int i = 0; i < 3; ++i)
    phi.whole[i] = static_cast<Scalar>(factor_at_rest(i)) + phi.shifted[i];
  return phi;
}

/// Population q of the part.
template <ProductPart part, int q, class Scalar, VelocitySet Lattice, class Real>
TESSERA_HOST_DEVICE constexpr Real product_population(
    Macroscopic<Lattice, Real> const& m, AxisFactors<Real> const (&phi)[Lattice::dimensions]) {
  constexpr int i = Lattice::x(q) + 1, j = Lattice::y(q) + 1, k = Lattice::z(q) + 1;
  constexpr auto wx = static_cast<Scalar>(factor_at_rest(i));
  constexpr auto half = Scalar{0.5};
  Real const& x = phi[0].whole[i];
  Real const& y = phi[1].whole[j];
  // Products of the plane: shifted, whole, and derived.
  Real shifted = phi[0].shifted[i] * y + wx * phi[1].shifted[j];
  Real slope = phi[0].slope[i] * y + x * phi[1].slope[j];
  if constexpr (Lattice::dimensions == 3) {
    constexpr auto wxy = static_cast<Scalar>(factor_at_rest(i) * factor_at_rest(j));
    shifted = shifted * phi[2].whole[k] + wxy * phi[2].shifted[k];
    slope = slope * phi[2].whole[k] + (x * y) * phi[2].slope[k];
  }
  if constexpr (part == ProductPart::force) return m.density * slope;
  return static_cast<Scalar>(Lattice::weight(q)) * m.density_shift +
         m.density * (shifted - half * slope);
}

template <ProductPart part, class Scalar, TensorProductSet Lattice, class Real, int... q>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> product_populations(
    Macroscopic<Lattice, Real> const& m, AxisFactors<Real> const (&phi)[Lattice::dimensions],
    std::integer_sequence<int, q...> /*all*/) {
  Real const f[Lattice::size] = {product_population<part, q, Scalar>(m, phi)...};
  return split<Lattice, Scalar>(f);
}

/// The part in halves, shifted.
template <ProductPart part, TensorProductSet Lattice, class Real, class Scalar>
TESSERA_HOST_DEVICE constexpr Halves<Lattice, Real> product_populations(
    Macroscopic<Lattice, Real> const& m, Scalar const (&force)[3]) {
  AxisFactors<Real> phi[Lattice::dimensions];
  for (int a = 0; a < Lattice::dimensions; ++a) phi[a] = axis_factors(m.velocity[a], force[a]);
  return product_populations<part, Scalar>(m, phi, Count<Lattice::size>{});
}

}  // namespace tessera

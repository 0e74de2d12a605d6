// SPDX-License-Identifier: MIT
// The cumulant collision operator of D3Q27.
// Geier, Schoenherr, Pasquali, Krafczyk, Comput. Math. Appl. 70 (2015) 507.
//
// Cumulants up to third order are central moments. Cumulants of higher orders are 0 after the
// collision, which gives the higher central moments then in terms of the lower ones. Written here
// for the deviations d of the moments from Maxwell's distribution: kappa_200 = rho/3 + d_200,
// kappa_220 = rho/9 + d_220, kappa_222 = rho/27 + d_222. Not done: the paper's corrections by
// velocity gradients and its optional rates of higher cumulants.
#pragma once

#include "models/lattice/central_moments.hpp"

namespace tessera {

struct Cumulants {
  template <class Scalar>
  using Rates = CentralRates<Scalar>;
  static constexpr CollisionOperator kind = CollisionOperator::cumulants;
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Rates<Scalar> rates(FlowParameters const& p) {
    return CentralMoments::rates<Scalar>(p);
  }
  template <VelocitySet Lattice, EquilibriumForm form>
  static constexpr bool suits =
      TensorProductSet<Lattice>&& Lattice::dimensions == 3 && form == EquilibriumForm::product;

  template <VelocitySet Lattice, class Real, class Rate, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void relax(Halves<Lattice, Real>& n,
                                                  Macroscopic<Lattice, Real> const& state,
                                                  Rate const& shear, Rates<Scalar> const& rates) {
    auto change = central_moments<Scalar>(n, state.velocity);
    clear_conserved(change);
    auto const before = change;  // less the deviations before the collision
    relax_stresses(change, shear, rates);
    relax_orders(change, rates, Count<Lattice::size>{});  // higher ones are set below
    Cube<Lattice, Real> d{};                              // deviations after the collision
    subtract(d, change, before, Count<Lattice::size>{});
    set_higher<Scalar>(d, state.specific);
    add_higher(change, d, before, Count<Lattice::size>{});
    n = populations_of_central_moments<Scalar>(change, state.velocity);
  }

 private:
  template <class Lattice, class Real, int... place>
  TESSERA_HOST_DEVICE static constexpr void subtract(Cube<Lattice, Real>& d,
                                                     Cube<Lattice, Real> const& a,
                                                     Cube<Lattice, Real> const& b,
                                                     std::integer_sequence<int, place...> /*all*/) {
    ((d.at[place] = a.at[place] - b.at[place]), ...);
  }

  template <class Lattice, class Real, int... place>
  TESSERA_HOST_DEVICE static constexpr void add_higher(
      Cube<Lattice, Real>& change, Cube<Lattice, Real> const& d, Cube<Lattice, Real> const& before,
      std::integer_sequence<int, place...> /*all*/) {
    ((change.at[place] =
          moment::order(place) > 3 ? d.at[place] + before.at[place] : change.at[place]),
     ...);
  }

  /// The deviation of kappa_211, or of kappa_121 and kappa_112 with the axes in another order;
  /// k_011_111 is kappa_011 kappa_111, and so on.
  template <class Scalar, class Real>
  TESSERA_HOST_DEVICE static constexpr Real moment_211(Real const& d_200, Real const& k_011,
                                                       Real const& k_110, Real const& k_101,
                                                       Real const& specific) {
    return static_cast<Scalar>(1.0 / 3.0) * k_011 +
           specific * (d_200 * k_011 + Scalar{2} * k_110 * k_101);
  }

  template <class Scalar, class Real>
  TESSERA_HOST_DEVICE static constexpr Real moment_220(Real const& d_200, Real const& d_020,
                                                       Real const& k_110, Real const& specific) {
    return static_cast<Scalar>(1.0 / 3.0) * (d_200 + d_020) +
           specific * (d_200 * d_020 + Scalar{2} * k_110 * k_110);
  }

  template <class Scalar, class Real>
  TESSERA_HOST_DEVICE static constexpr Real moment_122(Real const& d_020, Real const& d_002,
                                                       Real const& k_102, Real const& k_120,
                                                       Real const& k_011_111, Real const& k_110_012,
                                                       Real const& k_101_021,
                                                       Real const& specific) {
    return static_cast<Scalar>(1.0 / 3.0) * (k_102 + k_120) +
           specific * (d_020 * k_102 + d_002 * k_120 + Scalar{4} * k_011_111 +
                       Scalar{2} * (k_110_012 + k_101_021));
  }

  /// Sets the deviations of fourth order and above so that the cumulants vanish.
  template <class Scalar, class Lattice, class Real>
  TESSERA_HOST_DEVICE static constexpr void set_higher(Cube<Lattice, Real>& cube,
                                                       Real const& specific) {
    using namespace moment;
    auto& d = cube.at;
    Real const xx = d[2 * x], yy = d[2 * y], zz = d[2 * z];
    Real const xy = d[x + y], xz = d[x + z], yz = d[y + z], xyz = d[x + y + z];
    Real const xxyy = moment_220<Scalar>(xx, yy, xy, specific);
    Real const xxzz = moment_220<Scalar>(xx, zz, xz, specific);
    Real const yyzz = moment_220<Scalar>(yy, zz, yz, specific);
    Real const xxyz = moment_211<Scalar>(xx, yz, xy, xz, specific);
    Real const xyyz = moment_211<Scalar>(yy, xz, xy, yz, specific);
    Real const xyzz = moment_211<Scalar>(zz, xy, xz, yz, specific);
    Real const xyy = d[x + 2 * y], xzz = d[x + 2 * z], xxy = d[2 * x + y];
    Real const yzz = d[y + 2 * z], xxz = d[2 * x + z], yyz = d[2 * y + z];
    d[2 * x + 2 * y] = xxyy;
    d[2 * x + 2 * z] = xxzz;
    d[2 * y + 2 * z] = yyzz;
    d[2 * x + y + z] = xxyz;
    d[x + 2 * y + z] = xyyz;
    d[x + y + 2 * z] = xyzz;
    d[x + 2 * y + 2 * z] = moment_122<Scalar>(yy, zz, xzz, xyy, Real(yz * xyz), Real(xy * yzz),
                                              Real(xz * yyz), specific);
    d[2 * x + y + 2 * z] = moment_122<Scalar>(xx, zz, yzz, xxy, Real(xz * xyz), Real(xy * xzz),
                                              Real(yz * xxz), specific);
    d[2 * x + 2 * y + z] = moment_122<Scalar>(xx, yy, yyz, xxz, Real(xy * xyz), Real(xz * xyy),
                                              Real(yz * xxy), specific);
    Real const of_one = static_cast<Scalar>(1.0 / 3.0) * (xxyy + xxzz + yyzz) -
                        static_cast<Scalar>(1.0 / 9.0) * (xx + yy + zz);
    Real const of_two = xx * yyzz + yy * xxzz + zz * xxyy + Scalar{4} * (xyz * xyz) +
                        Scalar{4} * (yz * xxyz + xz * xyyz + xy * xyzz) +
                        Scalar{2} * (xyy * xzz + xxy * yzz + xxz * yyz) -
                        static_cast<Scalar>(2.0 / 3.0) * (xx * yy + xx * zz + yy * zz) -
                        static_cast<Scalar>(4.0 / 3.0) * (xz * xz + yz * yz + xy * xy);
    Real const of_three = Scalar{-2} * (xx * yy * zz) - Scalar{16} * (xy * xz * yz) -
                          Scalar{4} * (xz * xz * yy + yz * yz * xx + xy * xy * zz);
    d[2 * x + 2 * y + 2 * z] = of_one + specific * (of_two + specific * of_three);
  }
};

}  // namespace tessera

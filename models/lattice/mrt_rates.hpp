// SPDX-License-Identifier: MIT
// The relaxation rates of the MRT operators.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "models/lattice/velocity_sets.hpp"

namespace tessera {

/// The group of a moment, which selects its rate. (Names after d'Humieres, Ginzburg, Krafczyk,
/// Lallemand, Luo, Phil. Trans. R. Soc. A 360 (2002) 437.)
enum class MomentGroup : std::uint8_t {
  shear,           ///< viscous stresses; in D3Q13 only those off the diagonal
  normal,          ///< D3Q13: viscous stresses on the diagonal, p_xx and p_ww
  bulk,            ///< energy e
  energy_squared,  ///< epsilon
  energy_flux,     ///< q
  fourth_stress,   ///< pi: even moments of fourth order and above but epsilon
  third,           ///< m: odd moments of third order and above but q
  conserved        ///< mass and momentum: no rate
};
inline constexpr int moment_groups = 7;

template <class Scalar>
struct MrtRates {
  Scalar shear;  ///< 1 / tau
  Scalar normal;
  Scalar bulk;
  Scalar energy_squared;
  Scalar energy_flux;
  Scalar fourth_stress;
  Scalar third;
};

/// All rates equal, except the rate of the normal stresses in D3Q13, which follows from the
/// viscosity being isotropic: 1/normal - 1/2 = 2 (1/shear - 1/2) (d'Humieres, Bouzidi, Lallemand
/// 2001).
template <VelocitySet Lattice, class Scalar>
constexpr MrtRates<Scalar> equal_mrt_rates(Scalar shear) {
  Scalar const normal = Lattice::isotropic ? shear : Scalar{2} * shear / (Scalar{4} - shear);
  return {shear, normal, shear, shear, shear, shear, shear};
}

/// The rate of a group; `shear` takes the place of rates.shear.
template <MomentGroup group, VelocitySet Lattice, class Rate, class Scalar>
TESSERA_HOST_DEVICE constexpr auto rate_of(Rate const& shear, MrtRates<Scalar> const& rates) {
  static_assert(group != MomentGroup::conserved);
  if constexpr (group == MomentGroup::shear) return shear;
  if constexpr (group == MomentGroup::normal && Lattice::isotropic) return shear;
  if constexpr (group == MomentGroup::normal && !Lattice::isotropic) return rates.normal;
  if constexpr (group == MomentGroup::bulk) return rates.bulk;
  if constexpr (group == MomentGroup::energy_squared) return rates.energy_squared;
  if constexpr (group == MomentGroup::energy_flux) return rates.energy_flux;
  if constexpr (group == MomentGroup::fourth_stress) return rates.fourth_stress;
  if constexpr (group == MomentGroup::third) return rates.third;
}

}  // namespace tessera

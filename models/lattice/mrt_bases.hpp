// SPDX-License-Identifier: MIT
// Moments that the MRT operator relaxes: polynomials of the velocity, orthogonal on the set,
// plainly (as published) or weighted by w_q.
//
// Plain: D2Q9 Lallemand, Luo, Phys. Rev. E 61 (2000) 6546; D3Q13 d'Humieres, Bouzidi, Lallemand,
// Phys. Rev. E 63 (2001) 066702; D3Q15 and D3Q19 d'Humieres et al., Phil. Trans. R. Soc. A 360
// (2002) 437, appendices. Weighted (D2Q9, D3Q15, D3Q19, D3Q27): Hermite polynomials and their
// continuations, as Dellar, Phys. Rev. E 65 (2002) 036309, has them for D2Q9; in these the
// non-hydrodynamic moments of the second-order equilibrium are 0.
#pragma once

#include <cstdint>

#include "models/lattice/mrt_rates.hpp"

namespace tessera {

enum class Orthogonality : std::uint8_t { plain, weighted };

/// The value of a moment at a velocity, and its rate.
struct MomentTerm {
  int value;
  MomentGroup group;
};

/// Moment k of the set, 0 <= k < size, at (x, y, z).
template <VelocitySet Lattice, Orthogonality orthogonality>
struct MomentBasis;

namespace moment_basis {

using enum MomentGroup;

/// The moments that all three-dimensional sets have: mass, momentum, stresses without their trace.
TESSERA_HOST_DEVICE constexpr MomentTerm common(int k, int x, int y, int z) {
  int const c2 = x * x + y * y + z * z;
  switch (k) {
    case 0:
      return {1, conserved};
    case 1:
      return {x, conserved};
    case 2:
      return {y, conserved};
    case 3:
      return {z, conserved};
    case 4:
      return {3 * x * x - c2, normal};
    case 5:
      return {y * y - z * z, normal};
    case 6:
      return {x * y, shear};
    case 7:
      return {y * z, shear};
    default:
      return {x * z, shear};
  }
}

/// The moment of component `axis` that is antisymmetric in the other two axes: x (y^2 - z^2), ...
TESSERA_HOST_DEVICE constexpr int antisymmetric(int axis, int x, int y, int z) {
  return axis == 0 ? x * (y * y - z * z) : (axis == 1 ? y * (z * z - x * x) : z * (x * x - y * y));
}
TESSERA_HOST_DEVICE constexpr int along_axis(int axis, int x, int y, int z) {
  return axis == 0 ? x : (axis == 1 ? y : z);
}

}  // namespace moment_basis

template <Orthogonality orthogonality>
struct MomentBasis<D2Q9, orthogonality> {
  static constexpr bool weighted = orthogonality == Orthogonality::weighted;
  TESSERA_HOST_DEVICE static constexpr MomentTerm at(int k, int x, int y, int /*z*/) {
    using enum MomentGroup;
    int const c2 = x * x + y * y;
    switch (k) {
      case 0:
        return {1, conserved};
      case 1:
        return {x, conserved};
      case 2:
        return {y, conserved};
      case 3:
        return {x * x - y * y, shear};
      case 4:
        return {x * y, shear};
      case 5:
        return {weighted ? 3 * c2 - 2 : 3 * c2 - 4, bulk};
      case 6:
        return {weighted ? (3 * x * x - 1) * (3 * y * y - 1) : (9 * c2 * c2 - 21 * c2 + 8) / 2,
                energy_squared};
      case 7:
        return {weighted ? (3 * y * y - 1) * x : (3 * c2 - 5) * x, energy_flux};
      default:
        return {weighted ? (3 * x * x - 1) * y : (3 * c2 - 5) * y, energy_flux};
    }
  }
};

template <>
struct MomentBasis<D3Q13, Orthogonality::plain> {
  TESSERA_HOST_DEVICE static constexpr MomentTerm at(int k, int x, int y, int z) {
    using enum MomentGroup;
    if (k < 9) return moment_basis::common(k, x, y, z);
    if (k == 9) return {(13 * (x * x + y * y + z * z) - 24) / 2, bulk};
    return {moment_basis::antisymmetric(k - 10, x, y, z), third};
  }
};

template <Orthogonality orthogonality>
struct MomentBasis<D3Q15, orthogonality> {
  static constexpr bool weighted = orthogonality == Orthogonality::weighted;
  TESSERA_HOST_DEVICE static constexpr MomentTerm at(int k, int x, int y, int z) {
    using enum MomentGroup;
    int const c2 = x * x + y * y + z * z;
    if (k < 9) return moment_basis::common(k, x, y, z);
    if (k == 9) return {weighted ? c2 - 1 : c2 - 2, bulk};
    if (k == 10) {
      return {weighted ? (3 * c2 * c2 - 9 * c2 + 4) / 2 : (15 * c2 * c2 - 55 * c2 + 32) / 2,
              energy_squared};
    }
    if (k == 11) return {x * y * z, third};
    int const c = moment_basis::along_axis(k - 12, x, y, z);
    return {weighted ? (3 * c2 - 5) * c : (5 * c2 - 13) * c / 2, energy_flux};
  }
};

template <Orthogonality orthogonality>
struct MomentBasis<D3Q19, orthogonality> {
  static constexpr bool weighted = orthogonality == Orthogonality::weighted;
  TESSERA_HOST_DEVICE static constexpr MomentTerm at(int k, int x, int y, int z) {
    using enum MomentGroup;
    int const c2 = x * x + y * y + z * z;
    if (k < 9) return moment_basis::common(k, x, y, z);
    if (k == 9) return {weighted ? c2 - 1 : 19 * c2 - 30, bulk};
    if (k == 10) {
      return {weighted ? 3 * c2 * c2 - 6 * c2 + 1 : (21 * c2 * c2 - 53 * c2 + 24) / 2,
              energy_squared};
    }
    if (k < 13) {
      int const stress = k == 11 ? 3 * x * x - c2 : y * y - z * z;
      return {(weighted ? 2 * c2 - 3 : 3 * c2 - 5) * stress, fourth_stress};
    }
    if (k < 16) {
      int const c = moment_basis::along_axis(k - 13, x, y, z);
      return {(weighted ? 3 * c2 - 5 : 5 * c2 - 9) * c, energy_flux};
    }
    return {moment_basis::antisymmetric(k - 16, x, y, z), third};
  }
};

/// Products of 1, c and 3 c^2 - 1 of each axis, the ones of second order less their trace.
template <>
struct MomentBasis<D3Q27, Orthogonality::weighted> {
  TESSERA_HOST_DEVICE static constexpr int hermite(int order, int c) {
    return order == 0 ? 1 : (order == 1 ? c : 3 * c * c - 1);
  }
  TESSERA_HOST_DEVICE static constexpr MomentTerm at(int k, int x, int y, int z) {
    using enum MomentGroup;
    if (k < 9) return moment_basis::common(k, x, y, z);
    if (k == 9) return {x * x + y * y + z * z - 1, bulk};
    // The other 17: orders of x, y, z.
    constexpr std::int8_t orders[17][3] = {{1, 1, 1}, {1, 2, 0}, {1, 0, 2}, {2, 1, 0}, {0, 1, 2},
                                           {2, 0, 1}, {0, 2, 1}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1},
                                           {2, 2, 0}, {2, 0, 2}, {0, 2, 2}, {1, 1, 2}, {1, 2, 1},
                                           {2, 1, 1}, {2, 2, 2}};
    auto const& order = orders[k - 10];
    int const value = hermite(order[0], x) * hermite(order[1], y) * hermite(order[2], z);
    bool const odd = (order[0] + order[1] + order[2]) % 2 == 1;
    return {value, odd ? third : fourth_stress};
  }
};

}  // namespace tessera

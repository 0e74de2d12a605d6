// SPDX-License-Identifier: MIT
// The velocity set D3Q13: rest and the 12 edges of the cube.
// D'Humieres, Bouzidi, Lallemand, Phys. Rev. E 63 (2001) 066702.
//
// The smallest set in three dimensions that can solve the Navier-Stokes equations, and only with a
// collision operator made for it: its fourth-order moments are not isotropic, sum w c_x^4 = 1/3 but
// sum w c_x^2 c_y^2 = 1/6 where 1/9 is needed. So the normal stresses decay at another rate than
// the shear stresses of the same viscosity (models/lattice/mrt_rates.hpp), nu = (tau - 1/2) / 2 in
// terms of the shear stresses' relaxation time, and the equilibrium has a formula of its own
// (models/lattice/stress.hpp). No velocity changes the parity of x + y + z: without walls the nodes
// fall into two independent flows.
#pragma once

#include "models/lattice/d3q19.hpp"

namespace tessera {

struct D3Q13 {
  static constexpr char const* name = "D3Q13";
  static constexpr int size = 13;
  static constexpr int dimensions = 3;
  static constexpr double sound_speed_squared = 1.0 / 3.0;
  static constexpr bool isotropic = false;

  TESSERA_HOST_DEVICE static constexpr int x(int q) { return D3Q19::x(in_d3q19(q)); }
  TESSERA_HOST_DEVICE static constexpr int y(int q) { return D3Q19::y(in_d3q19(q)); }
  TESSERA_HOST_DEVICE static constexpr int z(int q) { return D3Q19::z(in_d3q19(q)); }
  TESSERA_HOST_DEVICE static constexpr int opposite(int q) { return D3Q19::opposite(q); }
  /// Weight w_q of the equilibrium: 1/2, 1/24.
  TESSERA_HOST_DEVICE static constexpr double weight(int q) {
    return q == 0 ? 1.0 / 2.0 : 1.0 / 24.0;
  }

 private:
  TESSERA_HOST_DEVICE static constexpr int in_d3q19(int q) { return q == 0 ? 0 : q + 6; }
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The velocity set D3Q27: rest, 6 faces, 12 edges as in D3Q19, then 8 corners as in D3Q15. All
// triples of -1, 0, 1, so the moments up to c_x^2 c_y^2 c_z^2 are independent.
// Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479.
#pragma once

#include "models/lattice/d3q15.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera {

struct D3Q27 {
  static constexpr char const* name = "D3Q27";
  static constexpr int size = 27;
  static constexpr int dimensions = 3;
  static constexpr double sound_speed_squared = 1.0 / 3.0;
  static constexpr bool isotropic = true;

  TESSERA_HOST_DEVICE static constexpr int x(int q) {
    return q < 19 ? D3Q19::x(q) : D3Q15::x(q - 12);
  }
  TESSERA_HOST_DEVICE static constexpr int y(int q) {
    return q < 19 ? D3Q19::y(q) : D3Q15::y(q - 12);
  }
  TESSERA_HOST_DEVICE static constexpr int z(int q) {
    return q < 19 ? D3Q19::z(q) : D3Q15::z(q - 12);
  }
  TESSERA_HOST_DEVICE static constexpr int opposite(int q) {
    return q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1);
  }
  /// Weight w_q of the equilibrium: 8/27, 2/27, 1/54, 1/216.
  TESSERA_HOST_DEVICE static constexpr double weight(int q) {
    return q == 0 ? 8.0 / 27.0 : (q < 7 ? 2.0 / 27.0 : (q < 19 ? 1.0 / 54.0 : 1.0 / 216.0));
  }
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The velocity set D2Q9, in the plane of x and y: rest, 4 faces, 4 corners of the square.
// Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace tessera {

struct D2Q9 {
  static constexpr char const* name = "D2Q9";
  static constexpr int size = 9;
  static constexpr int dimensions = 2;
  static constexpr double sound_speed_squared = 1.0 / 3.0;
  static constexpr bool isotropic = true;

  TESSERA_HOST_DEVICE static constexpr int x(int q) {
    constexpr std::int8_t c[size] = {0, 1, -1, 0, 0, 1, -1, 1, -1};
    return c[q];
  }
  TESSERA_HOST_DEVICE static constexpr int y(int q) {
    constexpr std::int8_t c[size] = {0, 0, 0, 1, -1, 1, -1, -1, 1};
    return c[q];
  }
  TESSERA_HOST_DEVICE static constexpr int z(int /*q*/) { return 0; }
  TESSERA_HOST_DEVICE static constexpr int opposite(int q) {
    return q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1);
  }
  /// Weight w_q of the equilibrium: 4/9, 1/9, 1/36.
  TESSERA_HOST_DEVICE static constexpr double weight(int q) {
    return q == 0 ? 4.0 / 9.0 : (q < 5 ? 1.0 / 9.0 : 1.0 / 36.0);
  }
};

}  // namespace tessera

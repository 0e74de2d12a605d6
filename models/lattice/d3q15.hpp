// SPDX-License-Identifier: MIT
// The velocity set D3Q15: rest, 6 faces, 8 corners of the cube.
// Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace tessera {

struct D3Q15 {
  static constexpr char const* name = "D3Q15";
  static constexpr int size = 15;
  static constexpr int dimensions = 3;
  static constexpr double sound_speed_squared = 1.0 / 3.0;
  static constexpr bool isotropic = true;

  TESSERA_HOST_DEVICE static constexpr int x(int q) {
    constexpr std::int8_t c[size] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1};
    return c[q];
  }
  TESSERA_HOST_DEVICE static constexpr int y(int q) {
    constexpr std::int8_t c[size] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, -1, 1, -1, 1};
    return c[q];
  }
  TESSERA_HOST_DEVICE static constexpr int z(int q) {
    constexpr std::int8_t c[size] = {0, 0, 0, 0, 0, 1, -1, 1, -1, -1, 1, 1, -1, -1, 1};
    return c[q];
  }
  TESSERA_HOST_DEVICE static constexpr int opposite(int q) {
    return q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1);
  }
  /// Weight w_q of the equilibrium: 2/9, 1/9, 1/72.
  TESSERA_HOST_DEVICE static constexpr double weight(int q) {
    return q == 0 ? 2.0 / 9.0 : (q < 7 ? 1.0 / 9.0 : 1.0 / 72.0);
  }
};

}  // namespace tessera

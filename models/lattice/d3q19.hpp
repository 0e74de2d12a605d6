// SPDX-License-Identifier: MIT
// The velocity set D3Q19: rest, 6 faces, 12 edges of the cube.
// Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace tessera {

struct D3Q19 {
  static constexpr char const* name = "D3Q19";
  static constexpr int size = 19;
  static constexpr int dimensions = 3;
  /// Speed of sound squared, in lattice units.
  static constexpr double sound_speed_squared = 1.0 / 3.0;
  /// Whether the moments of fourth order are isotropic, as BGK needs them.
  static constexpr bool isotropic = true;

  /// Components of velocity q. Opposite velocities stand beside each other: (1,2), (3,4), ...,
  /// (17,18).
  TESSERA_HOST_DEVICE static constexpr int x(int q) {
    constexpr std::int8_t c[size] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    return c[q];
  }
  TESSERA_HOST_DEVICE static constexpr int y(int q) {
    constexpr std::int8_t c[size] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    return c[q];
  }
  TESSERA_HOST_DEVICE static constexpr int z(int q) {
    constexpr std::int8_t c[size] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    return c[q];
  }
  /// The velocity -c_q.
  TESSERA_HOST_DEVICE static constexpr int opposite(int q) {
    return q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1);
  }
  /// Weight w_q of the equilibrium: 1/3, 1/18, 1/36.
  TESSERA_HOST_DEVICE static constexpr double weight(int q) {
    return q == 0 ? 1.0 / 3.0 : (q < 7 ? 1.0 / 18.0 : 1.0 / 36.0);
  }
};

}  // namespace tessera

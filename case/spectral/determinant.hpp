// SPDX-License-Identifier: MIT
#pragma once

#include "models/spectral/mesh.hpp"

namespace tessera {

/// The determinant of the matrix with these three columns, which is the volume that they span.
constexpr double determinant(spectral::Point const& a, spectral::Point const& b,
                             spectral::Point const& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

}  // namespace tessera

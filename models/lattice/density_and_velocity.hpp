// SPDX-License-Identifier: MIT
// The macroscopic state of a node: the moments of its distribution function of order 0 and 1.
#pragma once

namespace tessera {

/// Density less 1 and velocity.
struct DensityAndVelocity {
  double density_shift = 0;
  double velocity[3] = {};
};

}  // namespace tessera

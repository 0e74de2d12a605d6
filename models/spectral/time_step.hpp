// SPDX-License-Identifier: MIT
// The longest stable time step.
#pragma once

#include <array>
#include <cstddef>

#include "models/spectral/gas.hpp"
#include "models/spectral/points.hpp"
#include "models/spectral/riemann.hpp"
#include "models/spectral/runge_kutta.hpp"

namespace tessera::spectral {

/// Largest stable a dt / h of advection by upwind fluxes in one dimension, by degree. Exact for
/// tensor-product advection, as eigenvalues of directions add up.
constexpr double stable_step(Integrator integrator, int degree) {
  constexpr std::array<std::array<double, integrators>, most_degree + 1> limit{{
      // Carpenter-Kennedy, Bogey-Bailly, Jameson, SSP-RK3
      {2.221, 2.077, 1.392, 1.256},
      {0.948, 1.038, 0.696, 0.595},
      {0.524, 0.542, 0.363, 0.322},
      {0.337, 0.337, 0.226, 0.201},
      {0.235, 0.233, 0.156, 0.139},
      {0.175, 0.172, 0.115, 0.103},
      {0.135, 0.132, 0.089, 0.079},
      {0.109, 0.106, 0.071, 0.063},
      {0.089, 0.087, 0.058, 0.052},
  }};
  return limit[static_cast<std::size_t>(degree)][static_cast<std::size_t>(integrator)];
}

/// Contribution of a direction to the rate of a point, times its Jacobian: |S u| + c |S|. The time
/// step is sigma stable_step() / max over points of (sum over directions / Jacobian).
template <class Real>
TESSERA_HOST_DEVICE Real wave_rate(Primitive<Real> const& state, Real const& sound_speed,
                                   Direction<Real> const& across) {
  return (magnitude<Real>(dot(state.velocity, across.n)) + sound_speed) * across.size;
}
template <class Real>
TESSERA_HOST_DEVICE Real wave_rate(Primitive<Real> const& state, Real const& sound_speed,
                                   Real const (&area)[3]) {
  return wave_rate(state, sound_speed, direction_of(area));
}

}  // namespace tessera::spectral

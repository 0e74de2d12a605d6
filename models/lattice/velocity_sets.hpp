// SPDX-License-Identifier: MIT
// All velocity sets, and the concept of one.
#pragma once

#include <concepts>

#include "models/lattice/d2q9.hpp"
#include "models/lattice/d3q13.hpp"
#include "models/lattice/d3q15.hpp"
#include "models/lattice/d3q19.hpp"
#include "models/lattice/d3q27.hpp"

/// All velocity sets, each with its LatticeKind: X(D2Q9, d2q9, further arguments).
/// codelets/lattice/CMakeLists.txt lists them again, for the files that it makes.
#define TESSERA_VELOCITY_SETS(X, ...) \
  X(D2Q9, d2q9, __VA_ARGS__)          \
  X(D3Q13, d3q13, __VA_ARGS__)        \
  X(D3Q15, d3q15, __VA_ARGS__)        \
  X(D3Q19, d3q19, __VA_ARGS__)        \
  X(D3Q27, d3q27, __VA_ARGS__)

namespace tessera {

/// Velocities c_q with weights w_q, in lattice units. The velocity at rest is the first; then
/// opposites stand beside each other: (1,2), (3,4), ...
template <class Lattice>
concept VelocitySet = requires(int q) {
  { Lattice::name } -> std::convertible_to<char const*>;
  { Lattice::size } -> std::convertible_to<int>;
  { Lattice::dimensions } -> std::convertible_to<int>;
  { Lattice::sound_speed_squared } -> std::convertible_to<double>;
  { Lattice::isotropic } -> std::convertible_to<bool>;
  { Lattice::x(q) } -> std::same_as<int>;
  { Lattice::y(q) } -> std::same_as<int>;
  { Lattice::z(q) } -> std::same_as<int>;
  { Lattice::opposite(q) } -> std::same_as<int>;
  { Lattice::weight(q) } -> std::same_as<double>;
};

/// A set with all combinations of -1, 0 and 1, so that populations and equilibria are products.
template <class Lattice>
concept TensorProductSet = VelocitySet<Lattice> &&
                           Lattice::size == (Lattice::dimensions == 2 ? 3 * 3 : 3 * 3 * 3);

/// Component of c_q along axis 0, 1 or 2.
template <VelocitySet Lattice>
TESSERA_HOST_DEVICE constexpr int component(int q, int axis) {
  return axis == 0 ? Lattice::x(q) : (axis == 1 ? Lattice::y(q) : Lattice::z(q));
}

/// Kinematic viscosity over (tau - 1/2), tau the relaxation time of the shear stresses: the moment
/// sum w c_x^2 c_y^2 / c_s^2.
template <VelocitySet Lattice>
constexpr double viscosity_factor() {
  double sum = 0;
  for (int q = 0; q < Lattice::size; ++q)
    sum += Lattice::weight(q) * (Lattice::x(q) * Lattice::x(q) * Lattice::y(q) * Lattice::y(q));
  return sum / Lattice::sound_speed_squared;
}

/// Relaxation rate of the shear stresses for a kinematic viscosity in lattice units.
template <VelocitySet Lattice>
constexpr double shear_rate(double viscosity) {
  return 1.0 / (viscosity / viscosity_factor<Lattice>() + 0.5);
}

}  // namespace tessera

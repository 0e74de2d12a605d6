// SPDX-License-Identifier: MIT
// Measurements at the solution points of a pack, on cores and GPUs by the same formulas and in the
// same order of addition.
#pragma once

#include <cmath>
#include <limits>

#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// Integrals over the volume, by the quadrature that the method conserves.
struct GasIntegrals {
  double volume = 0;
  double conserved[variables] = {};  ///< mass, momentum, energy
  double kinetic_energy = 0;
  double entropy = 0;  ///< rho ln(p / rho^gamma) / (gamma - 1)
  /// Squares of the difference to the exact density, velocity and pressure, by a finer quadrature;
  /// 0 if none is given.
  double squared_errors[variables] = {};
};

struct GasExtremes {
  double least_density = std::numeric_limits<double>::infinity();
  double least_pressure = std::numeric_limits<double>::infinity();
  double largest_speed = 0;
  double largest_mach = 0;
  double largest_errors[variables] = {};  ///< of density, velocity and pressure

  void include(GasExtremes const& other);
};

/// The measurement of a pack.
struct PackMeasurement {
  GasIntegrals integrals;
  GasExtremes extremes;
};

/// The weights of all degrees' solution points, with sum 1.
struct PointWeights {
  double weight[most_degree + 1][most_degree + 1];

  /// The weight of a point of an element, x fastest.
  TESSERA_HOST_DEVICE double at(PackShape shape, int point) const {
    int const n = shape.degree + 1;
    double const* const w = weight[shape.degree];
    double product = w[point % n];
    product *= w[point / n % n];
    if (shape.dimension == 3) product *= w[point / (n * n)];
    return product;
  }
};
constexpr PointWeights make_point_weights() {
  PointWeights made{};
  auto const fill = [&]<int p>() {
    constexpr auto w = gauss_weights<static_cast<std::size_t>(p + 1)>();
    for (std::size_t i = 0; i <= p; ++i) made.weight[p][i] = w[i];
  };
  [&]<int... p>(std::integer_sequence<int, p...>) { (fill.template operator()<p>(), ...); }
  (std::make_integer_sequence<int, most_degree + 1>{});
  return made;
}

/// Number of sums of an element: its points with numbers i, i + sums_of_element and so on are added
/// up first, then these sums, then the sums of the elements.
inline constexpr int sums_of_element = 16;

/// Sums and extremes of some points.
struct PointSums {
  static constexpr int sums = variables + 3;
  double sum[sums] = {};  ///< in the order of GasIntegrals
  /// Density and pressure; speed and Mach number.
  double least[2] = {std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::infinity()};
  double largest[2] = {};

  TESSERA_HOST_DEVICE void add_point(State<double> const& q, double volume, Gas<double> gas) {
    Primitive<double> const p = primitive(q, gas);
    double const speed_squared = dot(p.velocity, p.velocity);
    double const speed = std::sqrt(speed_squared);
    sum[0] += volume;
    for (int v = 0; v < variables; ++v) sum[1 + v] += volume * q[v];
    sum[variables + 1] += volume * 0.5 * p.density * speed_squared;
    sum[variables + 2] += volume * p.density *
                          (std::log(p.pressure) - gas.gamma * std::log(p.density)) /
                          gas.gamma_less_1();
    include(p.density, p.pressure, speed, speed / sound_speed(p, gas));
  }
  TESSERA_HOST_DEVICE void add(PointSums const& other) {
    for (int i = 0; i < sums; ++i) sum[i] += other.sum[i];
    include(other.least[0], other.least[1], other.largest[0], other.largest[1]);
  }
  TESSERA_HOST_DEVICE void put_into(PackMeasurement& measured) const {
    measured.integrals.volume = sum[0];
    for (int v = 0; v < variables; ++v) measured.integrals.conserved[v] = sum[1 + v];
    measured.integrals.kinetic_energy = sum[variables + 1];
    measured.integrals.entropy = sum[variables + 2];
    measured.extremes.least_density = least[0];
    measured.extremes.least_pressure = least[1];
    measured.extremes.largest_speed = largest[0];
    measured.extremes.largest_mach = largest[1];
  }

 private:
  TESSERA_HOST_DEVICE void include(double rho, double pressure, double speed, double mach) {
    least[0] = rho < least[0] ? rho : least[0];
    least[1] = pressure < least[1] ? pressure : least[1];
    largest[0] = speed > largest[0] ? speed : largest[0];
    largest[1] = mach > largest[1] ? mach : largest[1];
  }
};

/// Sums over the points i, i + sums_of_element and so on of a lane.
template <class N>
TESSERA_HOST_DEVICE PointSums sums_of_points(TileView<N> const& tables, TilePack const& pack,
                                             int dimension, N const* states, int lane, int first,
                                             PointWeights const& weights, Gas<double> gas) {
  PackShape const shape{dimension, pack.degree};
  N const* const state = states + pack.state + lane;
  N const* const per_volume = tables.geometry + pack.jacobian + lane;
  PointSums sums;
  for (int i = first; i < shape.points(); i += sums_of_element) {
    State<double> q{};
    for (int v = 0; v < variables; ++v) q[v] = static_cast<double>(state[shape.state_at(v, i)]);
    double const jacobian = 1 / static_cast<double>(per_volume[pack.affine != 0 ? 0 : i * lanes]);
    sums.add_point(q, weights.at(shape, i) * jacobian, gas);
  }
  return sums;
}

}  // namespace tessera::spectral

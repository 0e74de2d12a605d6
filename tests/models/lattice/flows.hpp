// SPDX-License-Identifier: MIT
// Decaying waves in the reference solver, whose viscosity is measured.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "tests/models/lattice/combinations.hpp"
#include "tests/reference/box.hpp"

namespace tessera {

/// A collision of one node.
template <VelocitySet Lattice>
using Collision = std::function<void(double (&)[Lattice::size])>;

/// The collision of a combination, with a force in the plane of x and y.
template <class C>
Collision<typename C::Lattice> collision_of(double viscosity, double gx = 0, double gy = 0) {
  NodeParameters<typename C::Operator, double> const parameters{
      some_rates<typename C::Operator, typename C::Lattice>(
          shear_rate<typename C::Lattice>(viscosity)),
      {gx, gy, 0}};
  return [parameters](double(&f)[C::Lattice::size]) {
    collide<typename C::Lattice, typename C::Operator, C::form>(f, parameters);
  };
}

/// Viscosity from the decay rate of an amplitude proportional to exp(-nu k^2 t), measured over
/// `steps` steps that follow as many others.
template <VelocitySet Lattice, class Amplitude>
double measured_viscosity(reference::Box<Lattice>& flow, Collision<Lattice> const& collide,
                          int steps, double k_squared, Amplitude amplitude) {
  double first = 0;
  for (int i = 0; i < 2 * steps; ++i) {
    if (i == steps) first = amplitude(flow);
    flow.step(collide);
  }
  return std::log(first / amplitude(flow)) / (steps * k_squared);
}

/// Taylor and Green's vortex in the plane, n x n nodes and one layer; relative error of the
/// viscosity.
template <VelocitySet Lattice>
double taylor_green_error(Collision<Lattice> const& collide, int n, double viscosity) {
  using Flow = reference::Box<Lattice>;
  double const k = 2 * std::numbers::pi / n;
  double const speed = 0.32 / n;
  Flow flow(Int3{n, n, 1});
  auto sx = [&](Int3 at) { return std::sin(k * static_cast<double>(at.x)); };
  auto cx = [&](Int3 at) { return std::cos(k * static_cast<double>(at.x)); };
  auto sy = [&](Int3 at) { return std::sin(k * static_cast<double>(at.y)); };
  auto cy = [&](Int3 at) { return std::cos(k * static_cast<double>(at.y)); };
  flow.start(
      [&](Int3 at) {
        return 1 + 0.75 * speed * speed *
                       (cx(at) * cx(at) - sx(at) * sx(at) + cy(at) * cy(at) - sy(at) * sy(at));
      },
      [&](Int3 at) {
        return std::array{speed * sx(at) * cy(at), -speed * cx(at) * sy(at), 0.0};
      });
  auto amplitude = [&](Flow& now) {
    double sum = 0;
    now.for_each_node([&](Int3 at) {
      sum += now.momentum(at, 0) * sx(at) * cy(at) - now.momentum(at, 1) * cx(at) * sy(at);
    });
    return sum;
  };
  int const steps = n * n / 16;
  return measured_viscosity(flow, collide, steps, 2 * k * k, amplitude) / viscosity - 1;
}

/// A shear wave along x, velocity in y, carried by a uniform flow along x; relative error of the
/// viscosity.
template <VelocitySet Lattice>
double shear_wave_error(Collision<Lattice> const& collide, int n, double viscosity,
                        double uniform) {
  using Flow = reference::Box<Lattice>;
  double const k = 2 * std::numbers::pi / n;
  Flow flow(Int3{n, 1, 1});
  flow.start([](Int3) { return 1.0; },
             [&](Int3 at) {
               return std::array{uniform, 1e-3 * std::sin(k * static_cast<double>(at.x)), 0.0};
             });
  auto amplitude = [&](Flow& now) {
    std::complex<double> sum = 0;
    now.for_each_node([&](Int3 at) {
      sum += now.momentum(at, 1) * std::polar(1.0, k * static_cast<double>(at.x));
    });
    return std::abs(sum);
  };
  return measured_viscosity(flow, collide, n * n / 4, k * k, amplitude) / viscosity - 1;
}

/// A shear wave without mean flow, along the diagonal of x and y in an n x n box: wave vector (k,
/// k); relative error of the viscosity.
template <VelocitySet Lattice>
double diagonal_wave_error(Collision<Lattice> const& collide, int n, double viscosity) {
  using Flow = reference::Box<Lattice>;
  double const k = 2 * std::numbers::pi / n;
  Flow flow(Int3{n, n, 1});
  auto wave = [&](Int3 at) { return std::sin(k * static_cast<double>(at.x + at.y)); };
  flow.start([](Int3) { return 1.0; },
             [&](Int3 at) {
               return std::array{1e-3 * wave(at), -1e-3 * wave(at), 0.0};
             });
  auto amplitude = [&](Flow& now) {
    double sum = 0;
    now.for_each_node([&](Int3 at) { sum += now.momentum(at, 0) * wave(at); });
    return sum;
  };
  return measured_viscosity(flow, collide, n * n / 8, 2 * k * k, amplitude) / viscosity - 1;
}

}  // namespace tessera

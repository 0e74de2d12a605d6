// SPDX-License-Identifier: MIT
// Exact flows, meshes they are computed on, and how far a state is from one.
#pragma once

#include <cmath>
#include <numbers>

#include "codelets/spectral/bare_loop.hpp"
#include "models/spectral/box_mesh.hpp"
#include "models/spectral/geometry.hpp"

namespace tessera::spectral::test {

using Exact = std::function<Primitive<double>(Point const&)>;

/// Shu's isentropic vortex in a box of 10 x 10, carried along x (or anywhere), periodic by the
/// shortest distance.
inline Exact vortex(double t, double w = 0) {
  return [t, w](Point const& at) {
    double const dx = at[0] - 5 - t - 10 * std::floor((at[0] - t) / 10);
    double const dy = at[1] - 5 - 10 * std::floor(at[1] / 10);
    double const e = 5 / (2 * std::numbers::pi) * std::exp(0.5 * (1 - dx * dx - dy * dy));
    double const temperature = 1 - 0.4 / 2.8 * e * e;
    double const rho = std::pow(temperature, 2.5);
    return Primitive<double>{rho, {1 - dy * e, dx * e, w}, rho * temperature};
  };
}

inline Point wavy(Point const& at) {
  double const k = 2 * std::numbers::pi / 10;
  double const d = 0.05 * 10 * std::sin(k * at[0]) * std::sin(k * at[1]);
  return {at[0] + d, at[1] + d, at[2]};
}

/// A wave of density across the unit cube, carried by a uniform flow.
inline Exact density_wave(double t) {
  return [t](Point const& at) {
    double const phase = 2 * std::numbers::pi * (at[0] + at[1] + at[2] - 0.9 * t);
    return Primitive<double>{1 + 0.2 * std::sin(phase), {0.5, 0.3, 0.1}, 1};
  };
}

inline Point bent_cube(Point const& at) {
  auto const s = [&](int a) {
    return std::sin(2 * std::numbers::pi * at[static_cast<std::size_t>(a)]);
  };
  return {at[0] + 0.08 * s(1) * s(2), at[1] + 0.06 * s(2) * s(0), at[2] - 0.07 * s(0) * s(1)};
}

inline Primitive<double> uniform(Point const&) { return {1, {0.7, 0.3, -0.2}, 1}; }
inline Primitive<double> uniform_in_plane(Point const&) { return {1, {0.7, 0.3, 0}, 1}; }

inline MeshOfGas gas_in(BoxMesh const& box, std::vector<BoundaryCondition> boundaries = {}) {
  MeshOfGas of{.mesh = make_mesh(box), .packs = {}, .boundaries = std::move(boundaries), .gas = {}};
  of.packs = make_packs(of.mesh);
  return of;
}

/// A square of 10 x 10 in n x n cells.
inline BoxMesh square(std::int32_t n, std::function<int(Point const&)> degree) {
  return {.dimension = 2, .cells = {n, n, 1}, .size = {10, 10, 1}, .degree = std::move(degree)};
}
inline std::function<int(Point const&)> everywhere(int degree) {
  return [degree](Point const&) { return degree; };
}
/// Two degrees in turn, the first where i + j of the cell is even.
inline std::function<int(Point const&)> in_turn(int even, int odd, double cell) {
  return [=](Point const& at) {
    auto const sum =
        std::lround(std::floor(at[0] / cell) + std::floor(at[1] / cell) + std::floor(at[2] / cell));
    return sum % 2 == 0 ? even : odd;
  };
}

/// Any turn for each element, always the same ones.
inline std::function<int(std::int32_t)> turned(int dimension) {
  return [dimension](std::int32_t cell) {
    return static_cast<int>((static_cast<unsigned>(cell) * 2654435761U >> 7) %
                            static_cast<unsigned>(turns_of_element(dimension)));
  };
}

/// Integrals over an element, with a finer quadrature if `extra` is more than 0.
template <class Use>
void integrate(Mesh const& mesh, std::size_t e, std::vector<State<double>> const& state, int extra,
               Use&& use) {
  int const p = mesh.degree[e];
  int const n = p + 1 + extra;
  std::vector<double> const at = gauss_points(n);
  std::vector<double> const weights = gauss_weights(n);
  Matrix const m = interpolation(at, solution_points(p));
  std::vector<Matrix const*> const along(static_cast<std::size_t>(mesh.dimension), &m);
  std::array<std::vector<double>, variables + 1> fine;  // and the Jacobian
  for (int v = 0; v < variables; ++v) {
    std::vector<double> values;
    values.reserve(state.size());
    for (auto const& q : state) values.push_back(q[v]);
    fine[static_cast<std::size_t>(v)] = tensor_product(along, values);
  }
  ElementMaps const maps(mesh.dimension, mesh.map_degree, p);
  fine[variables] = tensor_product(along, maps.jacobian(mesh.nodes_of(e)));
  std::array<std::vector<double>, 3> x;
  auto const places = maps.places(mesh.nodes_of(e));
  for (std::size_t a = 0; a < 3; ++a) {
    std::vector<double> values;
    values.reserve(places.size());
    for (Point const& place : places) values.push_back(place[a]);
    x[a] = tensor_product(along, values);
  }
  auto const count = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < fine[0].size(); ++i) {
    double w = weights[i % count] * weights[i / count % count] * fine[variables][i];
    if (mesh.dimension == 3) w *= weights[i / (count * count)];
    State<double> q{};
    for (int v = 0; v < variables; ++v) q[v] = fine[static_cast<std::size_t>(v)][i];
    use(Point{x[0][i], x[1][i], x[2][i]}, q, w);
  }
}

/// Root of the mean square of a density's error.
template <class N>
double density_error(MeshOfGas const& of, BareLoop<N> const& loop, Exact const& exact) {
  double sum = 0, volume = 0;
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    integrate(of.mesh, e, loop.state(static_cast<std::int32_t>(e)), 3,
              [&](Point const& at, State<double> const& q, double w) {
                double const d = q[density] - exact(at).density;
                sum += d * d * w;
                volume += w;
              });
  }
  return std::sqrt(sum / volume);
}

template <class N>
State<double> totals(MeshOfGas const& of, BareLoop<N> const& loop) {
  State<double> sum{};
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    integrate(of.mesh, e, loop.state(static_cast<std::int32_t>(e)), 0,
              [&](Point const&, State<double> const& q, double w) {
                for (int v = 0; v < variables; ++v) sum[v] += q[v] * w;
              });
  }
  return sum;
}

}  // namespace tessera::spectral::test

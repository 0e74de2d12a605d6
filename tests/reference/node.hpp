// SPDX-License-Identifier: MIT
// The reference: a node with its equilibrium and force, from the textbook formulas and from dense
// matrices of moments, in double precision. Written for being right at a glance, not for speed, and
// independent of the operators in lattice/. Populations are not shifted here.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "models/lattice/macroscopic.hpp"
#include "tests/reference/matrix.hpp"

namespace tessera::reference {

/// A velocity set as tables.
struct Set {
  std::string name;
  int dimensions;
  std::vector<std::array<double, 3>> c;
  Vector w;
  std::vector<std::size_t> opposite;
  std::size_t size() const { return w.size(); }
};

template <VelocitySet Lattice>
Set set_of() {
  Set set{Lattice::name, Lattice::dimensions, {}, {}, {}};
  for (int q = 0; q < Lattice::size; ++q) {
    set.c.push_back({double(Lattice::x(q)), double(Lattice::y(q)), double(Lattice::z(q))});
    set.w.push_back(Lattice::weight(q));
    set.opposite.push_back(static_cast<std::size_t>(Lattice::opposite(q)));
  }
  return set;
}

/// A polynomial of the velocity, (x, y, z).
using Polynomial = std::function<double(double, double, double)>;

/// M_kq = P_k(c_q - u).
inline Matrix moment_matrix(Set const& set, std::vector<Polynomial> const& moments,
                            std::array<double, 3> const& u = {0, 0, 0}) {
  Matrix m;
  for (Polynomial const& p : moments) {
    Vector row;
    for (auto const& c : set.c) row.push_back(p(c[0] - u[0], c[1] - u[1], c[2] - u[2]));
    m.push_back(row);
  }
  return m;
}

/// Orders of a moment in x, y, z.
using Orders = std::array<int, 3>;

/// All orders from 0 to 2 in each axis, as a set of all triples has them.
inline std::vector<Orders> all_orders(int dimensions) {
  std::vector<Orders> orders;
  for (int k = 0; k < (dimensions == 3 ? 3 : 1); ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) orders.push_back({i, j, k});
    }
  }
  return orders;
}
inline Polynomial monomial(Orders const& o) {
  return [o](double x, double y, double z) {
    return std::pow(x, o[0]) * std::pow(y, o[1]) * std::pow(z, o[2]);
  };
}
inline std::vector<Polynomial> monomials(int dimensions) {
  std::vector<Polynomial> all;
  for (Orders const& o : all_orders(dimensions)) all.push_back(monomial(o));
  return all;
}

/// Central moments of Maxwell's distribution, c_s^2 = 1/3, up to order 2 in each axis.
inline Vector maxwell_moments(int dimensions, double density) {
  double const factor[3] = {1, 0, 1.0 / 3};
  Vector moments;
  for (Orders const& o : all_orders(dimensions))
    moments.push_back(density * factor[o[0]] * factor[o[1]] * factor[o[2]]);
  return moments;
}
/// Central moments of the derivative of Maxwell's distribution M along the force, -g dM/dc: the
/// derivative acts on one axis at a time, weighted by g.
inline Vector maxwell_force_moments(int dimensions, double density,
                                    std::array<double, 3> const& g) {
  double const factor[3] = {1, 0, 1.0 / 3};
  double const derived[3] = {0, 1, 0};
  Vector moments;
  for (Orders const& o : all_orders(dimensions)) {
    double sum = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      double term = density * g[a];
      for (std::size_t b = 0; b < 3; ++b) term *= (a == b ? derived : factor)[o[b]];
      sum += term;
    }
    moments.push_back(sum);
  }
  return moments;
}

inline double dot(std::array<double, 3> const& a, std::array<double, 3> const& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// D3Q13: its 13 moments determine the equilibrium (d'Humieres, Bouzidi, Lallemand 2001).
inline Vector d3q13_populations(Set const& set, double mass, std::array<double, 3> const& momentum,
                                std::array<double, 3> const& a, std::array<double, 3> const& b) {
  std::vector<Polynomial> const moments = {
      [](double, double, double) { return 1; },
      [](double x, double, double) { return x; },
      [](double, double y, double) { return y; },
      [](double, double, double z) { return z; },
      [](double x, double, double) { return x * x; },
      [](double, double y, double) { return y * y; },
      [](double, double, double z) { return z * z; },
      [](double x, double y, double) { return x * y; },
      [](double, double y, double z) { return y * z; },
      [](double x, double, double z) { return x * z; },
      [](double x, double y, double z) { return x * (y * y - z * z); },
      [](double x, double y, double z) { return y * (z * z - x * x); },
      [](double x, double y, double z) { return z * (x * x - y * y); }};
  auto flux = [&](std::size_t i, std::size_t j) { return (a[i] * b[j] + a[j] * b[i]) / 2; };
  return product(
      inverse(moment_matrix(set, moments)),
      {mass, momentum[0], momentum[1], momentum[2], mass / 3 + flux(0, 0), mass / 3 + flux(1, 1),
       mass / 3 + flux(2, 2), flux(0, 1), flux(1, 2), flux(0, 2), 0, 0, 0});
}

inline Vector equilibrium(Set const& set, EquilibriumForm form, double density,
                          std::array<double, 3> const& u) {
  if (form == EquilibriumForm::product) {
    return product(inverse(moment_matrix(set, monomials(set.dimensions), u)),
                   maxwell_moments(set.dimensions, density));
  }
  bool const linear = form == EquilibriumForm::linear;
  if (set.name == "D3Q13") {
    double const rho = linear ? 1 : density;
    std::array<double, 3> const j = {rho * u[0], rho * u[1], rho * u[2]};
    std::array<double, 3> const none = {0, 0, 0};
    return d3q13_populations(set, density, j, linear ? none : j, u);
  }
  Vector f;
  for (std::size_t q = 0; q < set.size(); ++q) {
    double const cu = dot(set.c[q], u);
    f.push_back(linear ? set.w[q] * (density + 3 * cu)
                       : set.w[q] * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * dot(u, u)));
  }
  return f;
}

/// Guo, Zheng, Shi 2002, without its factor 1 - 1/(2 tau).
inline Vector force(Set const& set, EquilibriumForm form, double density,
                    std::array<double, 3> const& u, std::array<double, 3> const& g) {
  if (form == EquilibriumForm::product) {
    return product(inverse(moment_matrix(set, monomials(set.dimensions), u)),
                   maxwell_force_moments(set.dimensions, density, g));
  }
  bool const linear = form == EquilibriumForm::linear;
  if (set.name == "D3Q13") {
    double const rho = linear ? 1 : density;
    std::array<double, 3> const j = {rho * g[0], rho * g[1], rho * g[2]};
    std::array<double, 3> const twice = {2 * u[0], 2 * u[1], 2 * u[2]};
    return d3q13_populations(set, 0, j, linear ? std::array<double, 3>{0, 0, 0} : j, twice);
  }
  Vector f;
  for (std::size_t q = 0; q < set.size(); ++q) {
    double const cg = dot(set.c[q], g);
    double const cu = dot(set.c[q], u);
    f.push_back(linear ? set.w[q] * 3 * cg
                       : set.w[q] * density * (3 * (cg - dot(u, g)) + 9 * cu * cg));
  }
  return f;
}

/// A node before its collision.
struct Node {
  Set set;
  Vector f;
  double density;
  std::array<double, 3> u;
  std::array<double, 3> g;
  Vector f_eq;
  Vector force;
};

inline Node node(Set const& set, EquilibriumForm form, Vector const& f,
                 std::array<double, 3> const& g) {
  Node n{set, f, 0, {0, 0, 0}, g, {}, {}};
  for (std::size_t q = 0; q < set.size(); ++q) {
    n.density += f[q];
    for (std::size_t a = 0; a < 3; ++a) n.u[a] += set.c[q][a] * f[q];
  }
  for (std::size_t a = 0; a < static_cast<std::size_t>(set.dimensions); ++a)
    n.u[a] = n.u[a] / (form == EquilibriumForm::linear ? 1 : n.density) + g[a] / 2;
  n.f_eq = equilibrium(set, form, n.density, n.u);
  n.force = force(set, form, n.density, n.u, g);
  return n;
}

}  // namespace tessera::reference

// SPDX-License-Identifier: MIT
// The reference of every collision operator: populations after the collision of a node.
#pragma once

#include <map>

#include "models/lattice/mrt_rates.hpp"
#include "tests/reference/node.hpp"

namespace tessera::reference {

/// f + M^-1 (S (m_eq - m) + (1 - S/2) M F), a rate for each moment.
inline Vector relax_moments(Node const& n, Matrix const& m, Vector const& rates) {
  Vector const f = product(m, n.f);
  Vector const f_eq = product(m, n.f_eq);
  Vector const force = product(m, n.force);
  Vector change(f.size());
  for (std::size_t k = 0; k < f.size(); ++k)
    change[k] = rates[k] * (f_eq[k] - f[k]) + (1 - rates[k] / 2) * force[k];
  Vector after = product(inverse(m), change);
  for (std::size_t q = 0; q < after.size(); ++q) after[q] += n.f[q];
  return after;
}

inline Vector bgk(Node const& n, double rate) {
  Vector after = n.f;
  for (std::size_t q = 0; q < after.size(); ++q)
    after[q] += rate * (n.f_eq[q] - n.f[q]) + (1 - rate / 2) * n.force[q];
  return after;
}

inline Vector trt(Node const& n, double even_rate, double odd_rate) {
  Vector after = n.f;
  for (std::size_t q = 0; q < after.size(); ++q) {
    std::size_t const o = n.set.opposite[q];
    auto even = [&](Vector const& v) { return (v[q] + v[o]) / 2; };
    auto odd = [&](Vector const& v) { return (v[q] - v[o]) / 2; };
    after[q] += even_rate * (even(n.f_eq) - even(n.f)) + (1 - even_rate / 2) * even(n.force) +
                odd_rate * (odd(n.f_eq) - odd(n.f)) + (1 - odd_rate / 2) * odd(n.force);
  }
  return after;
}

/// sum c_a c_b (f - f_eq + F/2).
inline Matrix flux_off_equilibrium(Node const& n) {
  Matrix flux(3, Vector(3, 0.0));
  for (std::size_t q = 0; q < n.f.size(); ++q) {
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b)
        flux[a][b] += n.set.c[q][a] * n.set.c[q][b] * (n.f[q] - n.f_eq[q] + n.force[q] / 2);
    }
  }
  return flux;
}

/// f_eq + (1 - 1/tau) w (c c - 1/3) : Pi / (2 c_s^4) + F/2.
inline Vector regularised(Node const& n, double rate) {
  Matrix const flux = flux_off_equilibrium(n);
  Vector after = n.f_eq;
  for (std::size_t q = 0; q < after.size(); ++q) {
    double sum = 0;
    for (std::size_t a = 0; a < static_cast<std::size_t>(n.set.dimensions); ++a) {
      for (std::size_t b = 0; b < static_cast<std::size_t>(n.set.dimensions); ++b)
        sum += (n.set.c[q][a] * n.set.c[q][b] - (a == b ? 1.0 / 3 : 0.0)) * flux[a][b];
    }
    after[q] += (1 - rate) * n.set.w[q] * 4.5 * sum + n.force[q] / 2;
  }
  return after;
}

/// The rate with the eddy viscosity: tau_t = tau + 3 C^2 |S|, |S| = sqrt(2 Pi:Pi) 3 / (2 rho
/// tau_t), by halving an interval.
inline double smagorinsky_rate(Node const& n, double rate, double constant_squared) {
  Matrix const flux = flux_off_equilibrium(n);
  double sum = 0;
  for (Vector const& row : flux) {
    for (double entry : row) sum += entry * entry;
  }
  double low = 1 / rate;
  double high = low + 1e3;
  for (int i = 0; i < 200; ++i) {
    double const total = (low + high) / 2;
    double const strain_rate = std::sqrt(2 * sum) * 3 / (2 * n.density * total);
    (total < 1 / rate + 3 * constant_squared * strain_rate ? low : high) = total;
  }
  return 1 / low;
}

struct GroupedMoment {
  Polynomial p;
  MomentGroup group;
};

/// Polynomials as published, before they are made orthogonal, in that order.
inline std::vector<GroupedMoment> mrt_moments(std::string const& set) {
  using enum MomentGroup;
  auto c2 = [](double x, double y, double z) { return x * x + y * y + z * z; };
  auto c4 = [c2](double x, double y, double z) { return c2(x, y, z) * c2(x, y, z); };
  auto one = [](double, double, double) { return 1.0; };
  Polynomial const x = monomial({1, 0, 0}), y = monomial({0, 1, 0}), z = monomial({0, 0, 1});
  Polynomial const xy = monomial({1, 1, 0}), yz = monomial({0, 1, 1}), xz = monomial({1, 0, 1});
  auto times = [](Polynomial const& a, Polynomial const& b) -> Polynomial {
    return [a, b](double i, double j, double k) { return a(i, j, k) * b(i, j, k); };
  };
  auto square_difference = [](std::size_t a, std::size_t b) -> Polynomial {
    return [a, b](double i, double j, double k) {
      double const c[3] = {i, j, k};
      return c[a] * c[a] - c[b] * c[b];
    };
  };
  Polynomial const pxx = [c2](double i, double j, double k) { return 3 * i * i - c2(i, j, k); };
  Polynomial const pww = square_difference(1, 2);
  if (set == "D2Q9") {
    return {{one, conserved},
            {x, conserved},
            {y, conserved},
            {c2, bulk},
            {c4, energy_squared},
            {times(x, c2), energy_flux},
            {times(y, c2), energy_flux},
            {square_difference(0, 1), shear},
            {xy, shear}};
  }
  std::vector<GroupedMoment> moments = {
      {one, conserved}, {c2, bulk},    {x, conserved}, {y, conserved}, {z, conserved},
      {pxx, normal},    {pww, normal}, {xy, shear},    {yz, shear},    {xz, shear}};
  if (set == "D3Q27") {
    for (Orders const& o : std::vector<Orders>{
             {1, 1, 1}, {1, 2, 0}, {1, 0, 2}, {2, 1, 0}, {0, 1, 2}, {2, 0, 1}, {0, 2, 1}})
      moments.push_back({monomial(o), third});
    for (Orders const& o :
         std::vector<Orders>{{2, 2, 0}, {2, 0, 2}, {0, 2, 2}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}})
      moments.push_back({monomial(o), fourth_stress});
    for (Orders const& o : std::vector<Orders>{{1, 2, 2}, {2, 1, 2}, {2, 2, 1}})
      moments.push_back({monomial(o), third});
    moments.push_back({monomial({2, 2, 2}), fourth_stress});
    return moments;
  }
  if (set != "D3Q13") {
    moments.push_back({c4, energy_squared});
    for (Polynomial const& c : {x, y, z}) moments.push_back({times(c, c2), energy_flux});
  }
  if (set == "D3Q19") {
    moments.push_back({times(pxx, c2), fourth_stress});
    moments.push_back({times(pww, c2), fourth_stress});
  }
  if (set == "D3Q15") {
    moments.push_back({monomial({1, 1, 1}), third});
  } else {
    moments.push_back({times(x, square_difference(1, 2)), third});
    moments.push_back({times(y, square_difference(2, 0)), third});
    moments.push_back({times(z, square_difference(0, 1)), third});
  }
  return moments;
}

/// Makes rows orthogonal by Gram and Schmidt's method with these weights.
inline Matrix orthogonalised(Matrix m, Vector const& weights) {
  auto inner = [&](Vector const& a, Vector const& b) {
    double sum = 0;
    for (std::size_t q = 0; q < a.size(); ++q) sum += weights[q] * a[q] * b[q];
    return sum;
  };
  for (std::size_t k = 0; k < m.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      double const part = inner(m[k], m[l]) / inner(m[l], m[l]);
      for (std::size_t q = 0; q < m[k].size(); ++q) m[k][q] -= part * m[l][q];
    }
  }
  return m;
}

inline double rate_of(MomentGroup group, MrtRates<double> const& rates) {
  switch (group) {
    case MomentGroup::shear:
      return rates.shear;
    case MomentGroup::normal:
      return rates.normal;
    case MomentGroup::bulk:
      return rates.bulk;
    case MomentGroup::energy_squared:
      return rates.energy_squared;
    case MomentGroup::energy_flux:
      return rates.energy_flux;
    case MomentGroup::fourth_stress:
      return rates.fourth_stress;
    case MomentGroup::third:
      return rates.third;
    case MomentGroup::conserved:
      break;
  }
  return 0;
}

inline Vector mrt(Node const& n, bool weighted, MrtRates<double> const& rates) {
  std::vector<Polynomial> moments;
  Vector s;
  for (GroupedMoment const& m : mrt_moments(n.set.name)) {
    moments.push_back(m.p);
    s.push_back(rate_of(m.group, rates));
  }
  Vector const weights = weighted ? n.set.w : Vector(n.set.size(), 1.0);
  return relax_moments(n, orthogonalised(moment_matrix(n.set, moments), weights), s);
}

/// Central moments, the stresses as trace and differences.
inline Vector central_moments(Node const& n, double shear, double bulk, double third,
                              double higher) {
  std::vector<Polynomial> moments;
  Vector s;
  for (Orders const& o : all_orders(n.set.dimensions)) {
    int const order = o[0] + o[1] + o[2];
    moments.push_back(monomial(o));
    s.push_back(order < 2 ? 0 : (order == 2 ? shear : (order == 3 ? third : higher)));
    if (o == Orders{2, 0, 0}) {
      moments.back() = [](double x, double y, double z) { return x * x + y * y + z * z; };
      s.back() = bulk;
      if (n.set.dimensions == 2)
        moments.back() = [](double x, double y, double) { return x * x + y * y; };
    }
    if (o == Orders{0, 2, 0})
      moments.back() = [](double x, double y, double) { return x * x - y * y; };
    if (o == Orders{0, 0, 2})
      moments.back() = [](double x, double, double z) { return x * x - z * z; };
  }
  return relax_moments(n, moment_matrix(n.set, moments, n.u), s);
}

/// Cumulants (times the density) after Geier et al. 2015: those of fourth order and above become 0.
inline Vector cumulants(Node const& n, double shear, double bulk, double third) {
  Matrix const m = moment_matrix(n.set, monomials(3), n.u);
  Vector f = n.f;
  for (std::size_t q = 0; q < f.size(); ++q) f[q] += n.force[q] / 2;
  Vector const before = product(m, f);
  std::map<Orders, double> k;
  auto const orders = all_orders(3);
  for (std::size_t i = 0; i < orders.size(); ++i) k[orders[i]] = before[i];

  double const rho = n.density;
  double const trace = k[{2, 0, 0}] + k[{0, 2, 0}] + k[{0, 0, 2}];
  double const new_trace = trace + bulk * (rho - trace);
  for (Orders const& o : {Orders{2, 0, 0}, Orders{0, 2, 0}, Orders{0, 0, 2}})
    k[o] = new_trace / 3 + (1 - shear) * (k[o] - trace / 3);
  for (Orders const& o : {Orders{1, 1, 0}, Orders{1, 0, 1}, Orders{0, 1, 1}}) k[o] *= 1 - shear;
  for (auto& [o, value] : k) {
    if (o[0] + o[1] + o[2] == 3) value *= 1 - third;
  }
  // One formula for each kind of moment, turned to all axes.
  for (std::size_t a = 0; a < 3; ++a) {
    std::size_t const b = (a + 1) % 3, c = (a + 2) % 3;
    auto of = [&](int i, int j, int l) -> double& {
      Orders o{};
      o[a] = i, o[b] = j, o[c] = l;
      return k[o];
    };
    of(2, 2, 0) = (of(2, 0, 0) * of(0, 2, 0) + 2 * of(1, 1, 0) * of(1, 1, 0)) / rho;
    of(2, 1, 1) = (of(2, 0, 0) * of(0, 1, 1) + 2 * of(1, 1, 0) * of(1, 0, 1)) / rho;
    of(1, 2, 2) =
        (of(0, 2, 0) * of(1, 0, 2) + of(0, 0, 2) * of(1, 2, 0) + 4 * of(0, 1, 1) * of(1, 1, 1) +
         2 * (of(1, 1, 0) * of(0, 1, 2) + of(1, 0, 1) * of(0, 2, 1))) /
        rho;
  }
  auto at = [&](int i, int j, int l) { return k[{i, j, l}]; };
  k[{2, 2, 2}] =
      (4 * at(1, 1, 1) * at(1, 1, 1) + at(2, 0, 0) * at(0, 2, 2) + at(0, 2, 0) * at(2, 0, 2) +
       at(0, 0, 2) * at(2, 2, 0) + 4 * at(0, 1, 1) * at(2, 1, 1) + 4 * at(1, 0, 1) * at(1, 2, 1) +
       4 * at(1, 1, 0) * at(1, 1, 2) + 2 * at(1, 2, 0) * at(1, 0, 2) +
       2 * at(2, 1, 0) * at(0, 1, 2) + 2 * at(2, 0, 1) * at(0, 2, 1)) /
          rho -
      (16 * at(1, 1, 0) * at(1, 0, 1) * at(0, 1, 1) + 4 * at(1, 0, 1) * at(1, 0, 1) * at(0, 2, 0) +
       4 * at(0, 1, 1) * at(0, 1, 1) * at(2, 0, 0) + 4 * at(1, 1, 0) * at(1, 1, 0) * at(0, 0, 2) +
       2 * at(2, 0, 0) * at(0, 2, 0) * at(0, 0, 2)) /
          (rho * rho);
  Vector after;
  for (Orders const& o : orders) after.push_back(k[o]);
  f = product(inverse(m), after);
  for (std::size_t q = 0; q < f.size(); ++q) f[q] += n.force[q] / 2;
  return f;
}

}  // namespace tessera::reference

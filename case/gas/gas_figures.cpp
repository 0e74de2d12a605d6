// SPDX-License-Identifier: MIT
#include "case/gas/gas_figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "case/gas/quadrature.hpp"

namespace tessera {
namespace {

using spectral::Primitive;
using spectral::State;
using Sample = Quadrature::Sample;

/// Calls visit(sample, state) at `more` Gauss points an axis more than an element has degrees, in
/// the order of the elements: sums do not depend on how the mesh is computed.
void visit_samples(GasState const& state, int more,
                   std::function<void(Sample const&, State<double> const&)> const& visit) {
  spectral::Mesh const& mesh = state.mesh();
  std::map<int, Quadrature> quadratures;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    int const degree = mesh.degree[e];
    auto const found = quadratures.try_emplace(degree, mesh, degree + more).first;
    auto const samples = found->second.samples(e);
    if (more == 1) {  // the solution points themselves
      auto const values = state.element(e);
      for (std::size_t i = 0; i < samples.size(); ++i) visit(samples[i], values[i]);
    } else {
      std::span<double const> const points = found->second.points();
      auto const values = state.on_grid(e, {points, points, points});
      for (std::size_t i = 0; i < samples.size(); ++i) visit(samples[i], values[i]);
    }
  }
}

struct NormSums {
  double squares = 0;
  double largest = 0;
  void add(double square, double weight) {
    squares += weight * square;
    largest = std::max(largest, std::sqrt(square));
  }
  GasErrors::Norms norms(double volume) const { return {std::sqrt(squares / volume), largest}; }
};

double square(double x) { return x * x; }

}  // namespace

GasTotals totals_of(GasState const& state, double entropy_of) {
  GasTotals t;
  double squares = 0;  // of p / density^gamma
  spectral::Gas<double> const gas = state.of().gas;
  visit_samples(state, 1, [&](Sample const& at, State<double> const& q) {
    double const s = primitive(q, gas).pressure / std::pow(q[spectral::density], gas.gamma);
    t.volume += at.weight;
    t.mass += at.weight * q[spectral::density];
    for (int a = 0; a < 3; ++a)
      t.momentum[static_cast<std::size_t>(a)] += at.weight * q[spectral::momentum + a];
    t.energy += at.weight * q[spectral::energy];
    t.entropy += at.weight * q[spectral::density] * std::log(s);
    t.mean_entropy += at.weight * s;
  });
  t.mean_entropy /= t.volume;
  double const reference = entropy_of > 0 ? entropy_of : t.mean_entropy;
  visit_samples(state, 1, [&](Sample const& at, State<double> const& q) {
    double const s = primitive(q, gas).pressure / std::pow(q[spectral::density], gas.gamma);
    squares += at.weight * square(s / reference - 1);
  });
  t.entropy_error = std::sqrt(squares / t.volume);
  return t;
}

GasErrors errors_of(GasState const& state, GasCase::Exact const& exact, double time) {
  NormSums density, velocity, pressure;
  double volume = 0;
  visit_samples(state, 4, [&](Sample const& at, State<double> const& q) {
    Primitive<double> const is = primitive(q, state.of().gas);
    double of_velocity = 0;
    for (std::size_t a = 0; a < 3; ++a)
      of_velocity += square(is.velocity[a] - exact.velocity[a].at(at.place, time));
    volume += at.weight;
    density.add(square(is.density - exact.density.at(at.place, time)), at.weight);
    velocity.add(of_velocity, at.weight);
    pressure.add(square(is.pressure - exact.pressure.at(at.place, time)), at.weight);
  });
  return {density.norms(volume), velocity.norms(volume), pressure.norms(volume)};
}

}  // namespace tessera

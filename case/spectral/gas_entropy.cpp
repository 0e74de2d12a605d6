// SPDX-License-Identifier: MIT
#include "case/spectral/gas_entropy.hpp"

#include <cmath>

#include "case/spectral/quadrature.hpp"

namespace tessera {
namespace {

/// The mean of f(p / density^gamma), by the quadrature of the solution points.
template <class Function>
double mean(GasState const& state, Function const& f) {
  double volume = 0;
  double sum = 0;
  spectral::Gas<double> const gas = state.of().gas;
  for (std::size_t e = 0; e < state.mesh().elements(); ++e) {
    auto const samples = Quadrature(state.mesh(), state.mesh().degree[e] + 1).samples(e);
    auto const values = state.element(e);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      double const density = values[i][spectral::density];
      volume += samples[i].weight;
      sum +=
          samples[i].weight * f(primitive(values[i], gas).pressure / std::pow(density, gas.gamma));
    }
  }
  return sum / volume;
}

}  // namespace

double mean_entropy(GasState const& state) {
  return mean(state, [](double s) { return s; });
}

double entropy_error(GasState const& state, double reference) {
  return std::sqrt(
      mean(state, [reference](double s) { return (s / reference - 1) * (s / reference - 1); }));
}

}  // namespace tessera

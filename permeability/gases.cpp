// SPDX-License-Identifier: MIT
#include "permeability/gases.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace tessera {
namespace {

struct GasProperties {
  double molar_mass;  ///< kg/mol
  double viscosity;   ///< Pa s, at 273 K
  double sutherland;  ///< K
};

/// In the order of Gas.
constexpr std::array<GasProperties, 8> gases{{{0.028965, 1.716e-5, 111},
                                              {0.039948, 2.125e-5, 144},
                                              {0.044010, 1.370e-5, 222},
                                              {0.0040026, 1.870e-5, 79.4},
                                              {0.0020159, 8.411e-6, 97},
                                              {0.016043, 1.026e-5, 164},
                                              {0.028013, 1.663e-5, 107},
                                              {0.031999, 1.919e-5, 139}}};
constexpr double gas_constant = 8.314462618;  // J/(mol K)

GasProperties const& properties_of(Gas gas) { return gases[static_cast<std::size_t>(gas)]; }

}  // namespace

double gas_viscosity(Gas gas, double temperature) {
  constexpr double at = 273;
  GasProperties const& g = properties_of(gas);
  return g.viscosity * std::pow(temperature / at, 1.5) * (at + g.sutherland) /
         (temperature + g.sutherland);
}

double free_path_times_pressure(Gas gas, double temperature) {
  return gas_viscosity(gas, temperature) * std::sqrt(std::numbers::pi * gas_constant * temperature /
                                                     (2 * properties_of(gas).molar_mass));
}

}  // namespace tessera

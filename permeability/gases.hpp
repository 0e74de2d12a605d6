// SPDX-License-Identifier: MIT
// Gases that slip at the walls of pores: their mean free paths.
#pragma once

#include <cstdint>

#include "base/name_list.hpp"

namespace tessera {

enum class Gas : std::uint8_t {
  air,
  argon,
  carbon_dioxide,
  helium,
  hydrogen,
  methane,
  nitrogen,
  oxygen
};
inline constexpr NameList<Gas, 8> gas_names{{{"air", Gas::air},
                                             {"argon", Gas::argon},
                                             {"carbon-dioxide", Gas::carbon_dioxide},
                                             {"helium", Gas::helium},
                                             {"hydrogen", Gas::hydrogen},
                                             {"methane", Gas::methane},
                                             {"nitrogen", Gas::nitrogen},
                                             {"oxygen", Gas::oxygen}}};

/// Dynamic viscosity at low pressure in Pa s, by Sutherland's formula (White, Viscous Fluid Flow,
/// table 1-2), some 3 % at 200 to 600 K. Kelvin.
double gas_viscosity(Gas gas, double temperature);

/// Mean free path times pressure in Pa m: mu sqrt(pi R T / (2 M)).
double free_path_times_pressure(Gas gas, double temperature);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Which lattices, collision operators and equilibria go together: what lattice/ says of itself.
#pragma once

#include <array>
#include <vector>

#include "io/case/case.hpp"

namespace tessera {

inline constexpr std::array all_lattices{Case::Lattice::d2q9, Case::Lattice::d3q13,
                                         Case::Lattice::d3q15, Case::Lattice::d3q19,
                                         Case::Lattice::d3q27};
inline constexpr std::array all_collisions{
    Case::Collision::bgk,          Case::Collision::trt,         Case::Collision::mrt,
    Case::Collision::mrt_weighted, Case::Collision::regularised, Case::Collision::central_moments,
    Case::Collision::cumulants};
inline constexpr std::array all_equilibria{EquilibriumForm::linear, EquilibriumForm::second_order,
                                           EquilibriumForm::product};

/// `large_eddies`: with Smagorinsky's model.
bool go_together(Case::Lattice lattice, Case::Collision collision, EquilibriumForm equilibrium,
                 bool large_eddies);

std::vector<EquilibriumForm> equilibria_for(Case::Lattice lattice, Case::Collision collision);

/// Kinematic viscosity over (tau - 1/2).
double viscosity_factor(Case::Lattice lattice);

int dimensions(Case::Lattice lattice);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Which lattices, collision operators and equilibria go together: the models that
// lattice/models.hpp lists, from which the kernels are made.
#pragma once

#include <vector>

#include "lattice/flow_model.hpp"

namespace tessera {

/// `large_eddies`: with Smagorinsky's model.
bool go_together(LatticeKind lattice, CollisionOperator collision, EquilibriumForm equilibrium,
                 bool large_eddies);

/// Whether the magic number sets a rate of its.
bool has_magic(CollisionOperator collision);

std::vector<EquilibriumForm> equilibria_for(LatticeKind lattice, CollisionOperator collision);

}  // namespace tessera

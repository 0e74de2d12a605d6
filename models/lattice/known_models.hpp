// SPDX-License-Identifier: MIT
// Supported combinations of velocity set, collision operator and equilibrium: the models that
// models/lattice/models.hpp lists, from which the kernels are made.
#pragma once

#include <vector>

#include "models/lattice/flow_model.hpp"

namespace tessera {

/// Whether there is a node update of this model; BGK is TRT with equal rates.
bool is_known(FlowModel const& model);

/// All models of a velocity set, except those of BGK.
std::vector<FlowModel> models_on(LatticeKind lattice);

/// Equilibria that a velocity set and an operator support, without Smagorinsky's model.
std::vector<EquilibriumForm> equilibria_for(LatticeKind lattice, CollisionOperator collision);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Which lattices, collision operators and equilibria go together: the models that
// models/lattice/models.hpp lists, from which the kernels are made. Whoever wants to know asks
// here.
#pragma once

#include <vector>

#include "models/lattice/flow_model.hpp"

namespace tessera {

/// Whether there is a node update of this model; BGK is TRT with equal rates.
bool is_known(FlowModel const& model);

/// All of a velocity set, but those of BGK.
std::vector<FlowModel> models_on(LatticeKind lattice);

/// Equilibria that go with the two, without Smagorinsky's model.
std::vector<EquilibriumForm> equilibria_for(LatticeKind lattice, CollisionOperator collision);

}  // namespace tessera
